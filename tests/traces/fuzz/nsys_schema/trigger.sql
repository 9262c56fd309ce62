CREATE TABLE StringIds (id, value); CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; INSERT INTO StringIds VALUES (new.id + 1, 'b'); END; INSERT INTO StringIds VALUES (1, 'a');

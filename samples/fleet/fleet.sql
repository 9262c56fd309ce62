-- Asks a folder of many exported runs which of them got slower, why, and which ranks hold others up.
-- Runs as it is in DuckDB and in Spark, over one view for each table of jitscope.

-- A step is a call of the compiled training step.
CREATE TEMPORARY VIEW step AS
SELECT c.run, c.rank, c.start_ns, c.end_ns - c.start_ns AS step_ns,
       row_number() OVER (PARTITION BY c.run, c.rank ORDER BY c.start_ns) AS step
FROM call c
JOIN frame f ON f.run = c.run AND f.rank = c.rank AND f.process = c.process AND f.frame = c.frame
WHERE f.name = 'train_step';

-- Each step ends with a sum over all ranks, which lasts from when a rank arrives to when all have:
-- the rank with the shortest one came last, and all others waited as much longer.
CREATE TEMPORARY VIEW arrival AS
SELECT run, rank, step, ns - min(ns) OVER (PARTITION BY run, step) AS wait_ns
FROM (SELECT run, rank, end_ns - start_ns AS ns,
             row_number() OVER (PARTITION BY run, rank ORDER BY start_ns) AS step
      FROM kernel
      WHERE name LIKE 'ncclDevKernel_AllReduce%') AS collective;

-- What a rank did itself. The time of a whole step is no measure: one slow rank makes it long for all.
CREATE TEMPORARY VIEW work AS
SELECT s.run, s.rank, s.step, s.start_ns, s.step_ns - a.wait_ns AS work_ns, a.wait_ns
FROM step s JOIN arrival a ON a.run = s.run AND a.rank = s.rank AND a.step = s.step;

CREATE TEMPORARY VIEW run_work AS
SELECT run, min(start_ns) AS start_ns, median(work_ns) AS work_ns
FROM work GROUP BY run;

CREATE TEMPORARY VIEW regression AS
SELECT run, start_ns, work_ns, before_ns
FROM (SELECT run, start_ns, work_ns,
             avg(work_ns) OVER (ORDER BY start_ns ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING)
               AS before_ns
      FROM run_work) AS history
WHERE work_ns > 1.08 * before_ns;

-- title: runs whose median step has 8 % more work than the mean of the three runs before
SELECT run, round(work_ns / 1e6, 1) AS work_ms, round(before_ns / 1e6, 1) AS before_ms,
       round(100 * (work_ns / before_ns - 1), 1) AS percent_more
FROM regression ORDER BY run;

-- title: graph breaks of these runs that no run before them had
SELECT b.run, b.reason, b.stack, count(*) AS passes,
       round(median(b.end_ns - b.start_ns) / 1e6, 1) AS ms_each
FROM graph_break b JOIN regression r ON r.run = b.run
WHERE NOT EXISTS (SELECT 1 FROM graph_break earlier
                  WHERE earlier.stack = b.stack AND earlier.start_ns < r.start_ns)
GROUP BY b.run, b.reason, b.stack ORDER BY b.run, passes DESC;

-- title: ranks whose median step has 15 % more work than that of their run
SELECT w.run, w.rank, max(p.host_name) AS host, round(median(w.work_ns) / 1e6, 1) AS work_ms,
       round(max(r.work_ns) / 1e6, 1) AS run_ms,
       sum(CASE WHEN w.wait_ns = 0 THEN 1 ELSE 0 END) AS came_last, count(*) AS steps,
       round(max(o.waited_ns) / 1e9, 1) AS others_waited_s
FROM work w
JOIN run_work r ON r.run = w.run
JOIN process p ON p.run = w.run AND p.rank = w.rank
JOIN (SELECT run, sum(wait_ns) AS waited_ns FROM work GROUP BY run) AS o ON o.run = w.run
GROUP BY w.run, w.rank
HAVING median(w.work_ns) > 1.15 * max(r.work_ns)
ORDER BY w.run, w.rank;

"""The gate's JUnit and SARIF are read by strangers: are they what the formats ask for?

Usage: gate_schemas_test.py ANALYZER_TEST, which writes outputs of hostile findings. Their structure
is always checked, by what stands below. Where JITSCOPE_SARIF_SCHEMA and JITSCOPE_JUNIT_SCHEMAS (two
files with a colon between them: the XSD of Jenkins's xUnit plugin, and Ant's) name the published
schemas, and Python has jsonschema and lxml, these judge too.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
import xml.etree.ElementTree as ElementTree

PROGRAM = sys.argv.pop(1)
LEVELS = {"none", "note", "warning", "error"}
URI = re.compile(r"(?:file://[A-Za-z0-9._~%-]*/|(?!/))(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2}|(?<=///[A-Za-z]):)*")


class GateSchemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        environment = dict(os.environ, JITSCOPE_GATE_OUTPUTS=cls.folder.name)
        subprocess.run([PROGRAM, "--gtest_filter=GateOutputs.AreBounded*"], env=environment,
                       check=True, stdout=subprocess.DEVNULL)
        cls.files = sorted(pathlib.Path(cls.folder.name).iterdir())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def each(self, ending):
        files = [each for each in self.files if each.name.endswith(ending)]
        self.assertEqual(len(files), 5, "the program wrote other files than expected")
        for each in files:
            with self.subTest(file=each.name):
                yield each

    def test_every_output_is_utf8(self):
        for each in self.files:
            each.read_bytes().decode("utf-8")

    def test_junit_has_the_structure_that_viewers_read(self):
        for path in self.each(".junit.xml"):
            root = ElementTree.parse(path).getroot()
            self.assertEqual(root.tag, "testsuites")
            (suite,) = root
            self.assertEqual(suite.tag, "testsuite")
            self.assertRegex(suite.get("timestamp"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")
            tags = [each.tag for each in suite]
            cases = suite.findall("testcase")
            self.assertEqual(tags, ["properties"] + ["testcase"] * len(cases)
                             + ["system-out", "system-err"])
            self.assertEqual(suite.get("tests"), str(len(cases)))
            self.assertEqual(suite.get("failures"), str(len(suite.findall("testcase/failure"))))
            self.assertEqual(suite.get("skipped"), str(len(suite.findall("testcase/skipped"))))
            for case in cases:
                self.assertEqual(set(case.attrib), {"classname", "name", "time"})
                self.assertLessEqual(len(case), 1)
                for outcome in case:
                    self.assertIn(outcome.tag, {"failure", "skipped"})
                    self.assertTrue(outcome.get("message"))

    def test_sarif_has_the_structure_of_2_1_0(self):
        for path in self.each(".sarif"):
            log = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual(log["version"], "2.1.0")
            (run,) = log["runs"]
            rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
            self.assertEqual(len(rules), len(set(rules)))
            self.assertIs(run["invocations"][0]["executionSuccessful"], True)
            for result in run["results"]:
                self.assertEqual(rules[result["ruleIndex"]], result["ruleId"])
                self.assertIn(result["level"], LEVELS)
                self.assertTrue(result["message"]["text"])
                self.assertGreaterEqual(result["occurrenceCount"], 1)
                for location in result["locations"]:
                    place = location["physicalLocation"]
                    self.assertGreaterEqual(place["region"]["startLine"], 1)
                    uri = place["artifactLocation"]["uri"]
                    self.assertRegex(uri, "^" + URI.pattern + "$")
                    urllib.parse.urlsplit(uri)
                for suppression in result.get("suppressions", []):
                    self.assertIn(suppression["kind"], {"inSource", "external"})

    def test_sarif_meets_the_published_schema(self):
        path = os.environ.get("JITSCOPE_SARIF_SCHEMA")
        try:
            import jsonschema
        except ImportError:
            path = None
        if not path:
            self.skipTest("JITSCOPE_SARIF_SCHEMA is not set, or there is no jsonschema")
        schema = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        validator = jsonschema.validators.validator_for(schema)(
            schema, format_checker=jsonschema.FormatChecker())
        for each in self.each(".sarif"):
            errors = list(validator.iter_errors(json.loads(each.read_text(encoding="utf-8"))))
            self.assertEqual([str(error.message)[:200] for error in errors[:3]], [])

    def test_junit_meets_the_published_schemas(self):
        paths = os.environ.get("JITSCOPE_JUNIT_SCHEMAS")
        try:
            from lxml import etree
        except ImportError:
            paths = None
        if not paths:
            self.skipTest("JITSCOPE_JUNIT_SCHEMAS is not set, or there is no lxml")
        for schema_path in paths.split(":"):
            schema = etree.XMLSchema(etree.parse(schema_path))
            for each in self.each(".junit.xml"):
                schema.assertValid(etree.parse(str(each)))


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SARIF: the log has only properties of the public model and all that it requires, rules have help, and fingerprints
are stable. UFLOW_SARIF_SCHEMA=sarif-schema-2.1.0.json checks the logs against the schema of OASIS, too."""
import glob
import json
import os
import re

from e2e import BAD, EFFORT, GOOD, ROOT, Case, main

try:
    import sarif_om
except ImportError:
    sarif_om = None

# The classes of the objects in a log, by the property that holds one or a list of them.
CLASSES = {"runs": "Run", "results": "Result", "tool": "Tool", "driver": "ToolComponent",
           "rules": "ReportingDescriptor", "shortDescription": "MultiformatMessageString",
           "fullDescription": "MultiformatMessageString", "help": "MultiformatMessageString",
           "defaultConfiguration": "ReportingConfiguration", "message": "Message", "locations": "Location",
           "relatedLocations": "Location", "physicalLocation": "PhysicalLocation",
           "artifactLocation": "ArtifactLocation", "region": "Region"}
MAPS = ("partialFingerprints",)  # of strings
EXAMPLES = os.path.join(ROOT, "tests/golden/errors")


class Sarif(Case):
    def log(self, path, *options):
        return json.loads(self.ufc("--check", *options, "-fdiagnostics-format=sarif", path).err)

    def fits(self, name, value):
        """Asserts that the object has the properties of its class, and so for the objects in it."""
        if name in MAPS:
            self.assertTrue(all(isinstance(text, str) for text in value.values()))
            return
        fields = {field.metadata["schema_property_name"]: field
                  for field in getattr(sarif_om, CLASSES.get(name, name)).__attrs_attrs__}
        fields = {key.lstrip("$"): field for key, field in fields.items()}
        self.assertLessEqual({key.lstrip("$") for key in value}, set(fields), name)
        for key, field in fields.items():
            if field.default is not None and "NOTHING" in repr(field.default): self.assertIn(key, value, name)
        for key, inner in value.items():
            for one in inner if isinstance(inner, list) else [inner]:
                if isinstance(one, dict): self.fits(key, one)
                else: self.assertNotIn(key, CLASSES)

    def test_every_example_fits_the_model(self):
        schema = os.environ.get("UFLOW_SARIF_SCHEMA")
        if schema:
            import jsonschema
            with open(schema, encoding="utf-8") as file:
                validator = jsonschema.Draft4Validator(json.load(file), format_checker=jsonschema.FormatChecker())
        elif not sarif_om: self.skipTest("needs python3-sarif-python-om")
        examples = sorted(glob.glob(EXAMPLES + "/*.uflow"))[::5 if EFFORT == "quick" else 1]
        self.assertGreater(len(examples), 100)
        for path in [*examples, self.write("good.uflow", GOOD)]:
            with self.subTest(path=os.path.basename(path)):
                log = self.log(path)
                if schema: validator.validate(log)
                if sarif_om: self.fits("SarifLog", log)
                rules = log["runs"][0]["tool"]["driver"]["rules"]
                for result in log["runs"][0]["results"]:
                    self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
                    for location in result.get("locations", []):
                        region = location["physicalLocation"]["region"]
                        self.assertTrue(all(type(number) is int and number >= 1 for number in region.values()), region)

    def test_contents(self):
        for text, count in ((BAD, 1), (GOOD, 0)):
            run, = self.log(self.write("a.uflow", text))["runs"]
            self.assertEqual(run["tool"]["driver"]["name"], "ufc")
            self.assertIn(run["tool"]["driver"]["version"], self.good("--version").out.decode())
            self.assertEqual(len(run["results"]), count)
            for one in run["results"]:
                self.assertEqual(one["locations"][0]["physicalLocation"]["region"]["startLine"], 2)

    def test_rules_have_help(self):
        rules = self.log(self.write("a.uflow", GOOD))["runs"][0]["tool"]["driver"]["rules"]
        with open(os.path.join(ROOT, "generator/support/diag_codes.def"), encoding="utf-8") as file:
            self.assertEqual([rule["id"][2:] for rule in rules], re.findall(r"^DIAG\((\d+)", file.read(), re.M))
        for rule in rules:
            self.assertTrue(rule["help"]["text"].startswith(rule["fullDescription"]["text"]))
            if rule["defaultConfiguration"]["level"] == "warning":
                self.assertIn(f"-Wno-{rule['name']}", rule["help"]["markdown"])

    def prints(self, *arguments):
        results = self.log(*arguments)["runs"][0]["results"]
        return [one["partialFingerprints"]["primaryLocationLineHash"] for one in results]

    def test_fingerprints_are_stable(self):
        rest = "    task T { step S { done; } }\n}\n"
        text = "".join(f"flow {flow} {{\n    int {own};\n    int same;\n{rest}" for flow, own in zip("AB", "xy"))
        before = self.prints(self.write("a.uflow", text))
        self.assertEqual(len(set(before)), 4, before)
        self.assertEqual([one.rpartition(":")[2] for one in before], ["1", "1", "1", "2"])
        for changed in ("\n\n" + text, text.replace("    ", "\t"), text.replace("\n", "\r\n"),
                        text.replace("task T", "task U")):
            self.assertEqual(self.prints(self.write("other/b.uflow", changed)), before)
        after = self.prints(self.write("a.uflow", text.replace("int x", "int changed")))
        self.assertEqual([one == two for one, two in zip(before, after)], [False, True, True, True])


if __name__ == "__main__":
    main()

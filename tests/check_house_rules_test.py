"""Shows that check_house_rules.py catches each kind of fault, on small made-up trees."""
import unittest

import check_house_rules
import made_up_tree

SOUND = {
    "trace/CMakeLists.txt": "add_library(jitscope_trace STATIC reader.h reader.cpp)\n",
    "trace/reader.h": "#pragma once\nnamespace jitscope::trace {\nclass BaseAddress {};\n}\n",
    "trace/reader.cpp": "void read() {\n  using namespace std::literals;\n}\n",
    "samples/CMakeLists.txt": "foreach(name first)\nendforeach()\n",
    "samples/first.cpp": "#include <torch/torch.h>\n",
    "tools/setup.sh": "true\n",
}


class HouseRules(made_up_tree.MadeUpTree):
    check = check_house_rules
    sound = SOUND

    def test_accept_a_sound_tree(self):
        self.assertEqual(self.faults({}), [])

    def test_catch_a_file_that_is_too_long(self):
        self.assertEqual(self.faults({"tools/long.sh": "true\n" * 600}), [])
        self.expect("tools/long.sh", "true\n" * 601, "601 lines, 600 are the most: split it")

    def test_catch_a_name_that_says_nothing(self):
        self.expect("trace/string_utils.h", "#pragma once\n", "'utils' in a name says nothing about 'string_utils.h'")
        self.expect("trace/common/x.h", "#pragma once\n", "'common' in a name says nothing about 'common'")

    def test_catch_a_type_that_says_nothing(self):
        self.expect("trace/x.h", "#pragma once\nclass ReaderManager final : Reader {\n};\n",
                    "type ReaderManager: 'manager' says nothing")

    def test_catch_a_header_without_pragma_once(self):
        self.expect("trace/x.h", "int x();\n", "a header needs #pragma once")

    def test_catch_a_using_namespace_at_file_level(self):
        self.expect("trace/x.h", "#pragma once\nusing namespace std;\n", "no 'using namespace' outside a function")

    def test_catch_a_wide_header_in_a_module(self):
        self.expect("trace/x.h", "#pragma once\n#include <torch/torch.h>\n",
                    "<torch/torch.h> takes many seconds to compile: include the narrow header")

    def test_catch_a_source_that_nothing_builds(self):
        self.expect("trace/orphan.cpp", "\n", "no CMakeLists.txt builds it")


if __name__ == "__main__":
    unittest.main()

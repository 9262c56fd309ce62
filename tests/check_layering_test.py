"""Shows that check_layering.py catches each kind of fault, on small made-up trees."""
import unittest

import check_layering
import made_up_tree

# A tree that keeps every rule; each test adds one file to it.
SOUND = {
    "trace/reader.h": "#pragma once\n#include <vector>\n",
    "trace/column/chunk.h": '#include "trace/reader.h"\n',
    "trace/reader.cpp": '#include "trace/reader.h"\n#include "trace/column/chunk.h"\n',
    "analyzer/run.h": '#include "trace/reader.h"\n',
    "analyzer/CMakeLists.txt": "target_link_libraries(jitscope_analyzer PUBLIC jitscope::trace)\n",
    "compiler/compiler.h": "#include <ATen/core/Tensor.h>\n",
    "collector/torch/observer.cpp": "#include <ATen/record_function.h>\n",
    "collector/cupti/api.h": "#include <cupti.h>\n",
    "gui/window.h": '#include "gui/models/list.h"\n',
    "gui/models/list.h": "",
    "gui/window.cpp": '#include <QWidget>\n#include "analyzer/run.h"\n#include "ui_window.h"\n',
    "samples/first/main.cpp": '#include <torch/torch.h>\n#include "compiler/compiler.h"\n',
    "tools/jitscope/main.cpp": '#include "analyzer/run.h"\n#include "trace/reader.h"\n',
    "tests/trace/reader_test.cpp": '#include "trace/column/chunk.h"\n#include "tests/support/sink.h"\n',
    "tests/support/sink.h": "",
}


class Layering(made_up_tree.MadeUpTree):
    check = check_layering
    sound = SOUND

    def test_accepts_a_sound_tree(self):
        self.assertEqual(self.faults({}), [])

    def test_catches_an_arrow_against_the_diagram(self):
        self.expect("trace/writer.cpp", '#include "analyzer/run.h"\n', "trace may not include analyzer/run.h")

    def test_catches_a_missing_arrow_between_equals(self):
        self.expect("collector/record.cpp", '#  include "compiler/compiler.h"\n',
                    "collector may not include compiler/compiler.h")

    def test_catches_an_arrow_in_a_build_file(self):
        self.expect("trace/CMakeLists.txt", "target_link_libraries(jitscope_trace\n  PRIVATE jitscope::analyzer)\n",
                    "trace may not link analyzer")
        self.expect("collector/CMakeLists.txt", "target_link_libraries(x jitscope_compiler)\n",
                    "collector may not link compiler")

    def test_ignores_comments_in_a_build_file(self):
        self.assertEqual(self.faults({"trace/CMakeLists.txt": "# jitscope::analyzer is another module\n"}), [])

    def test_catches_a_private_header_of_another_module(self):
        self.expect("analyzer/load.cpp", '#include "trace/column/chunk.h"\n',
                    "trace/column/chunk.h is private to trace")
        for user in ("samples/first/chunk.cpp", "tools/jitscope/chunk.cpp"):
            self.expect(user, '#include "trace/column/chunk.h"\n', "trace/column/chunk.h is private to trace")

    def test_catches_a_public_header_that_needs_a_private_one(self):
        self.expect("trace/index.h", '#include "trace/column/chunk.h"\n',
                    "a public header may not need the private trace/column/chunk.h")

    def test_catches_folders_that_include_each_other(self):
        two_ways = {"trace/read/file.h": '#include "trace/write/log.h"\n',
                    "trace/write/log.cpp": '#include "trace/read/file.h"\n',
                    "trace/write/log.h": ""}
        self.assertIn(self.faults(two_ways), (
            ["trace: its folders include each other: trace/read <- trace/write <- trace/read"],
            ["trace: its folders include each other: trace/write <- trace/read <- trace/write"]))
        del two_ways["trace/write/log.cpp"]
        self.assertEqual(self.faults(two_ways), [])

    def test_catches_libtorch_outside_its_folders(self):
        folders = "compiler, collector/torch, samples, tests"
        self.expect("trace/tensor.h", "#include <ATen/core/Tensor.h>\n",
                    f"LibTorch (ATen/core/Tensor.h) is included only under {folders}")
        self.expect("collector/record/main.cpp", '#include "c10/core/Device.h"\n',
                    f"LibTorch (c10/core/Device.h) is included only under {folders}")

    def test_catches_qt_outside_the_gui(self):
        for header in ("QString", "QtCore/QString"):
            self.expect("analyzer/text.cpp", f"#include <{header}>\n",
                        f"Qt ({header}) is included only under gui, tests/gui")

    def test_catches_cupti_outside_its_folder(self):
        self.expect("collector/inject/entry.cpp", "#include <cupti_callbacks.h>\n",
                    "CUPTI (cupti_callbacks.h) is included only under collector/cupti, tests/collector")

    def test_catches_a_header_not_named_from_the_root(self):
        for header in ("reader.h", "../trace/reader.h"):
            self.expect("trace/index.cpp", f'#include "{header}"\n', f"name {header} by its path from the root")

    def test_catches_a_module_that_knows_its_tests(self):
        self.expect("trace/self_check.cpp", '#include "tests/support/sink.h"\n',
                    "tests/support/sink.h belongs to tests")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""A toy optimizer that writes its steps as a trace which Oriscope opens. Usage: python3 toy_optimizer.py > toy.trace.jsonl

The program is a dictionary of blocks. Two passes change it: one folds branches whose condition is a constant, one removes blocks that
nothing reaches. Everything about the file format is in the class Trace; docs/trace.md describes it.
"""

import json
import sys

PROGRAM = {
    "entry": {"insts": ["n = load count", "debug = 0", "br debug, trace, work"], "succs": ["trace", "work"]},
    "trace": {"insts": ["call print(n)", "jmp work"], "succs": ["work"]},
    "work": {"insts": ["n = n - 1", "br n, work, done"], "succs": ["work", "done"]},
    "done": {"insts": ["ret n"], "succs": []},
}

PSEUDOCODE = {
    "fold-branches": ["for each block that ends in a branch", "  the condition was set to a constant in the same block: jump there"],
    "remove-unreachable": ["mark what the entry reaches", "for each block that is not marked", "  remove it"],
}


class Trace:
    """Writes the lines of a trace. Blocks and instructions get a number when they are first seen."""

    def __init__(self, out):
        self.out, self.blocks, self.insts, self.written, self.steps = out, {}, {}, set(), 0

    def line(self, **fields):
        self.out.write(json.dumps(fields) + "\n")

    def block_id(self, label):
        return self.blocks.setdefault(label, len(self.blocks))

    def inst_id(self, label, place):
        """An instruction is named by its block and place, so that one that is rewritten keeps its number."""
        return self.insts.setdefault((label, place), len(self.insts))

    def block(self, program, label):
        insts = [{"id": self.inst_id(label, i), "text": text} for i, text in enumerate(program[label]["insts"])]
        succs = [self.block_id(succ) for succ in program[label]["succs"]]
        return {"id": self.block_id(label), "label": label, "insts": insts, "succs": succs}

    def start(self, title, function):
        self.line(type="trace", version=1, generator="toy optimizer 1", title=title, function=function)

    def phase(self, name, program):
        state = {"entry": self.block_id("entry"), "blocks": [self.block(program, label) for label in program]}
        self.line(type="phase", id=name, name=name.replace("-", " ").capitalize(), pseudocode=PSEUDOCODE[name], input=state)

    def step(self, kind, line, sentence, program, about, changed=(), removed=()):
        changes = {}
        if changed:
            changes["blocks"] = [self.block(program, label) for label in changed]
        if removed:
            changes["removed"] = [self.block_id(label) for label in removed]
        fields = {"kind": kind, "line": line, "sentence": sentence, "focus": {"blocks": [self.block_id(label) for label in about]}}
        self.line(type="step", **fields, **({"changes": changes} if changes else {}))
        self.steps += 1

    def end(self):
        self.line(type="end", steps=self.steps)


def fold_branches(program, trace):
    for label, block in program.items():
        words = block["insts"][-1].replace(",", "").split()
        if words[0] != "br":
            continue
        constant = next((text.split(" = ")[1] for text in block["insts"] if text.startswith(words[1] + " = ")), None)
        if constant is None or not constant.isdigit():
            trace.step("match", 2, f"{words[1]} is no constant in {label}: the branch stays", program, [label])
            continue
        target = words[2] if int(constant) else words[3]
        block["insts"][-1], block["succs"] = f"jmp {target}", [target]
        trace.step("inst-replace", 2, f"{words[1]} is {constant} in {label}: it jumps to {target}", program, [label, target], changed=[label])


def remove_unreachable(program, trace):
    reached, work = set(), ["entry"]
    while work:
        label = work.pop()
        if label not in reached:
            reached.add(label)
            trace.step("visit", 1, f"the entry reaches {label}", program, [label])
            work += program[label]["succs"]
    for label in [label for label in program if label not in reached]:
        del program[label]
        trace.step("block-delete", 3, f"nothing reaches {label}: it is removed", program, [label], removed=[label])


def main():
    trace = Trace(sys.stdout)
    trace.start("toy optimizer", "count")
    for name, run in (("fold-branches", fold_branches), ("remove-unreachable", remove_unreachable)):
        trace.phase(name, PROGRAM)
        run(PROGRAM, trace)
    trace.end()


if __name__ == "__main__":
    main()

"""Runs kernels through the CUDA driver: one JSON object a line in, one out. Python 3 and the driver's own library, nothing else.

In: {"ptx", "kernel", "blocks", "threads", "params": [{"buffer": N} or {"bytes": hex}], "buffers": [base64]}. Out: {"buffers": [base64]} or {"error", "stage"}.
The first line out says what device there is, or {"none": why}. After an error that leaves the context unusable the process ends.
"""

import base64
import ctypes
import json
import os
import sys

NAMES = ["libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "nvcuda.dll"]


def open_library():
    given = os.environ.get("ORISCOPE_LIBCUDA")
    for name in [given] if given else NAMES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


class Failure(Exception):
    def __init__(self, name, stage):
        super().__init__(name)
        self.stage = stage


class Driver:
    def __init__(self, cuda):
        self.cuda = cuda

    def call(self, stage, name, *args):
        code = getattr(self.cuda, name)(*args)
        if code != 0:
            text = ctypes.c_char_p()
            known = self.cuda.cuGetErrorName(code, ctypes.byref(text)) == 0 and text.value is not None
            raise Failure(text.value.decode() if known else "error %d" % code, stage)

    def start(self):
        self.call("start", "cuInit", 0)
        count = ctypes.c_int()
        self.call("start", "cuDeviceGetCount", ctypes.byref(count))
        if count.value == 0:
            return None
        device = ctypes.c_int()
        self.call("start", "cuDeviceGet", ctypes.byref(device), 0)
        name = ctypes.create_string_buffer(128)
        self.call("start", "cuDeviceGetName", name, 128, device)
        parts = []
        for attribute in (75, 76):  # compute capability, major and minor
            value = ctypes.c_int()
            self.call("start", "cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
            parts.append(value.value)
        version = ctypes.c_int()
        self.call("start", "cuDriverGetVersion", ctypes.byref(version))
        context = ctypes.c_void_p()
        self.call("start", "cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("start", "cuCtxSetCurrent", context)
        return {"device": name.value.decode(), "sm": 10 * parts[0] + parts[1], "driver": version.value}

    def run(self, job):
        module = ctypes.c_void_p()
        self.call("load", "cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(job["ptx"].encode()))
        pointers = []
        try:
            function = ctypes.c_void_p()
            self.call("load", "cuModuleGetFunction", ctypes.byref(function), module, ctypes.c_char_p(job["kernel"].encode()))
            contents = [base64.b64decode(text) for text in job["buffers"]]
            for data in contents:
                pointer = ctypes.c_uint64()
                self.call("memory", "cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(len(data)))
                pointers.append(pointer)
                self.call("memory", "cuMemcpyHtoD_v2", pointer, ctypes.c_char_p(data), ctypes.c_size_t(len(data)))
            # A parameter of fewer bytes is read from the front.
            values = [pointers[p["buffer"]] if "buffer" in p else ctypes.create_string_buffer(bytes.fromhex(p["bytes"]), 8) for p in job["params"]]
            array = (ctypes.c_void_p * max(1, len(values)))(*[ctypes.addressof(v) for v in values])
            sizes = [job["blocks"], 1, 1, job["threads"], 1, 1, 0]
            self.call("run", "cuLaunchKernel", function, *[ctypes.c_uint(n) for n in sizes], None, array, None)
            self.call("run", "cuCtxSynchronize")
            out = []
            for pointer, data in zip(pointers, contents):
                back = ctypes.create_string_buffer(len(data))
                self.call("run", "cuMemcpyDtoH_v2", back, pointer, ctypes.c_size_t(len(data)))
                out.append(base64.b64encode(back.raw).decode())
            return {"buffers": out}
        finally:
            for pointer in pointers:
                self.cuda.cuMemFree_v2(pointer)
            self.cuda.cuModuleUnload(module)


def say(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def main():
    cuda = open_library()
    if cuda is None:
        return say({"none": "there is no CUDA driver"})
    driver = Driver(cuda)
    try:
        device = driver.start()
    except Failure as failure:
        return say({"none": "the driver says %s" % failure})
    if device is None:
        return say({"none": "the driver finds no device"})
    say(device)
    for line in sys.stdin:
        try:
            say(driver.run(json.loads(line)))
        except Failure as failure:
            say({"error": str(failure), "stage": failure.stage})
            if failure.stage == "run":
                return None
    return None


main()

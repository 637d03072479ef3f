/*
 * A CUDA driver without a device, for the tests of gpu-check: launch N leaves in memory what the file N of FAKE_CUDA_DIR says, and FAKE_CUDA_MODE spoils launch 1 in
 * one way or another. What it was asked is written to the file `log` there.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 64
static struct { char *at; size_t size; } buffers[MOST];
static int count = 0;
static int pending = 0;

static int mode(const char *name) {
  const char *given = getenv("FAKE_CUDA_MODE");
  return given != NULL && strcmp(given, name) == 0;
}

static FILE *file(const char *name, const char *how) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("FAKE_CUDA_DIR"), name);
  return fopen(path, how);
}

/* Counts launches over all processes: after a fault there is another one. */
static int launch_number(void) {
  int number = 0;
  FILE *f = file("count", "r");
  if (f != NULL) {
    if (fscanf(f, "%d", &number) != 1) number = 0;
    fclose(f);
  }
  f = file("count", "w");
  fprintf(f, "%d", number + 1);
  fclose(f);
  return number;
}

int cuInit(unsigned flags) { return mode("broken") ? 100 : (int)flags; }
int cuDriverGetVersion(int *version) { *version = 12040; return 0; }
int cuDeviceGetCount(int *n) { *n = mode("none") ? 0 : 1; return 0; }
int cuDeviceGet(int *device, int i) { *device = i; return 0; }
int cuDeviceGetName(char *name, int size, int device) { (void)device; snprintf(name, (size_t)size, "Fake GPU"); return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) { (void)device; *value = attribute == 75 ? 8 : 6; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { (void)device; *context = (void *)1; return 0; }
int cuCtxSetCurrent(void *context) { return context == NULL; }
int cuGetErrorName(int code, const char **text) {
  *text = code == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : code == 222 ? "CUDA_ERROR_UNSUPPORTED_PTX_VERSION" : code == 100 ? "CUDA_ERROR_NO_DEVICE" : NULL;
  return *text == NULL;
}

int cuModuleLoadData(void **module, const char *text) {
  if (mode("old")) return 222;
  *module = strdup(text);
  return 0;
}
int cuModuleUnload(void *module) { free(module); return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = strdup(name);
  return strstr(module, name) == NULL ? 500 : 0;
}

int cuMemAlloc_v2(uint64_t *pointer, size_t size) {
  if (count == MOST) return 2;
  buffers[count].at = calloc(1, size);
  buffers[count].size = size;
  *pointer = (uint64_t)(uintptr_t)buffers[count++].at;
  return 0;
}
int cuMemFree_v2(uint64_t pointer) {
  free((void *)(uintptr_t)pointer);
  count--;
  return 0;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size) { memcpy((void *)(uintptr_t)to, from, size); return 0; }
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size) { memcpy(to, (void *)(uintptr_t)from, size); return 0; }

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **params, void **extra) {
  int number = launch_number();
  FILE *log = file("log", "a");
  int held = -1;
  uint64_t first = 0;
  char name[32];
  memcpy(&first, params[0], 8);
  for (int i = 0; i < count; i++) if ((uint64_t)(uintptr_t)buffers[i].at == first) held = i;
  fprintf(log, "%s <<<%u,%u,%u, %u,%u,%u>>> shared %u stream %d extra %d first %d\n", (char *)function, gx, gy, gz, bx, by, bz, shared, stream != NULL, extra != NULL, held);
  fclose(log);
  if (number == 1 && mode("hang")) sleep(600);
  if (number == 1 && mode("crash")) abort();
  if (number == 1 && mode("fault")) pending = 700;
  snprintf(name, sizeof name, "%d", number);
  FILE *answer = file(name, "rb");
  if (answer == NULL) return 999;
  for (int i = 0; i < count; i++) if (fread(buffers[i].at, 1, buffers[i].size, answer) != buffers[i].size) return 999;
  fclose(answer);
  if (number == 1 && mode("wrong")) buffers[count - 1].at[9] ^= 0x40;
  return 0;
}
int cuCtxSynchronize(void) { return pending; }

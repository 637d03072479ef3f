// Radix sort of keys and of pairs, as thrust and CUB make it: long unrolled blocks, many predicates.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

void sort_keys(unsigned* keys, int n, cudaStream_t stream) {
  thrust::device_ptr<unsigned> first(keys);
  thrust::sort(thrust::cuda::par.on(stream), first, first + n);
}

void sort_pairs(float* keys, int* values, int n, cudaStream_t stream) {
  thrust::device_ptr<float> first(keys);
  thrust::device_ptr<int> value(values);
  thrust::sort_by_key(thrust::cuda::par.on(stream), first, first + n, value);
}

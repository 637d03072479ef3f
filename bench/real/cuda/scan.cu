// Prefix sums and reductions by key.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

void scan_sum(const int* in, long long* out, int n, cudaStream_t stream) {
  thrust::device_ptr<const int> first(in);
  thrust::device_ptr<long long> result(out);
  thrust::inclusive_scan(thrust::cuda::par.on(stream), first, first + n, result);
}

void reduce_by_key(const int* keys, const float* values, int* out_keys, float* out_values, int n, cudaStream_t stream) {
  thrust::device_ptr<const int> first(keys);
  thrust::device_ptr<const float> value(values);
  thrust::device_ptr<int> out_key(out_keys);
  thrust::device_ptr<float> out_value(out_values);
  thrust::reduce_by_key(thrust::cuda::par.on(stream), first, first + n, value, out_key, out_value);
}

// Histograms and segmented operations of CUB.
#include <cub/cub.cuh>

void histogram(void* temp, size_t& bytes, const unsigned char* in, int* counts, int n, cudaStream_t stream) {
  cub::DeviceHistogram::HistogramEven(temp, bytes, in, counts, 257, 0, 256, n, stream);
}

void segmented_sum(void* temp, size_t& bytes, const float* in, float* out, int segments, const int* begins, const int* ends, cudaStream_t stream) {
  cub::DeviceSegmentedReduce::Sum(temp, bytes, in, out, segments, begins, ends, stream);
}

void segmented_sort(void* temp, size_t& bytes, const int* in, int* out, int n, int segments, const int* begins, const int* ends, cudaStream_t stream) {
  cub::DeviceSegmentedRadixSort::SortKeys(temp, bytes, in, out, n, segments, begins, ends, 0, 32, stream);
}

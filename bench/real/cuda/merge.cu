// Merging, set operations and a merge sort with a comparison of one's own.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>

struct Point {
  float x, y, z;
  int tag;
};

struct Nearer {
  __host__ __device__ bool operator()(const Point& a, const Point& b) const {
    float p = a.x * a.x + a.y * a.y + a.z * a.z;
    float q = b.x * b.x + b.y * b.y + b.z * b.z;
    return p < q || (p == q && a.tag < b.tag);
  }
};

void sort_points(Point* points, int n, cudaStream_t stream) {
  thrust::device_ptr<Point> first(points);
  thrust::stable_sort(thrust::cuda::par.on(stream), first, first + n, Nearer());
}

void merge_ints(const int* a, int n, const int* b, int m, int* out, cudaStream_t stream) {
  thrust::device_ptr<const int> x(a), y(b);
  thrust::merge(thrust::cuda::par.on(stream), x, x + n, y, y + m, thrust::device_ptr<int>(out));
}

void intersect(const int* a, int n, const int* b, int m, int* out, cudaStream_t stream) {
  thrust::device_ptr<const int> x(a), y(b);
  thrust::set_intersection(thrust::cuda::par.on(stream), x, x + n, y, y + m, thrust::device_ptr<int>(out));
}

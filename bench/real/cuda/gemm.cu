// A matrix product in half precision on tensor cores, and a reduction by cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <mma.h>

namespace cg = cooperative_groups;
using namespace nvcuda;

template <int ROWS, int COLUMNS>
__global__ void gemm(const half* a, const half* b, float* c, int m, int n, int k) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[ROWS][COLUMNS];
#pragma unroll
  for (int i = 0; i < ROWS; i++)
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) wmma::fill_fragment(sums[i][j], 0.0f);
  int row = (blockIdx.y * blockDim.y + threadIdx.y) * 16 * ROWS;
  int column = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 16 * COLUMNS;
  for (int step = 0; step < k; step += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left[ROWS];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right[COLUMNS];
#pragma unroll
    for (int i = 0; i < ROWS; i++)
      if (row + 16 * i < m) wmma::load_matrix_sync(left[i], a + (row + 16 * i) * k + step, k);
#pragma unroll
    for (int j = 0; j < COLUMNS; j++)
      if (column + 16 * j < n) wmma::load_matrix_sync(right[j], b + step * n + column + 16 * j, n);
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
      for (int j = 0; j < COLUMNS; j++) wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
  }
#pragma unroll
  for (int i = 0; i < ROWS; i++)
#pragma unroll
    for (int j = 0; j < COLUMNS; j++)
      if (row + 16 * i < m && column + 16 * j < n)
        wmma::store_matrix_sync(c + (row + 16 * i) * n + column + 16 * j, sums[i][j], n, wmma::mem_row_major);
}

template __global__ void gemm<1, 1>(const half*, const half*, float*, int, int, int);
template __global__ void gemm<2, 4>(const half*, const half*, float*, int, int, int);
template __global__ void gemm<4, 4>(const half*, const half*, float*, int, int, int);

__global__ void softmax(const half2* in, half2* out, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  float most = -INFINITY;
  for (int i = warp.thread_rank(); i < n; i += 32) {
    float2 v = __half22float2(in[i]);
    most = fmaxf(most, fmaxf(v.x, v.y));
  }
  most = cg::reduce(warp, most, cg::greater<float>());
  float sum = 0;
  for (int i = warp.thread_rank(); i < n; i += 32) {
    float2 v = __half22float2(in[i]);
    sum += __expf(v.x - most) + __expf(v.y - most);
  }
  sum = cg::reduce(warp, sum, cg::plus<float>());
  for (int i = warp.thread_rank(); i < n; i += 32) {
    float2 v = __half22float2(in[i]);
    out[i] = __floats2half2_rn(__expf(v.x - most) / sum, __expf(v.y - most) / sum);
  }
}

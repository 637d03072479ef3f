/**
 * The instructions of PTX: one line per opcode root with its effect while it is opaque and what it does in a few words, then its forms in PTX.
 *
 * A form: dotted words, `:`, operands. Words may be written in any order; `a|b!` is one of several, `a|b?` one or none, `?` alone any others. `T=…` and `U=…` are the
 * types, in the order of the spelling; `int` and its like are the sets below. An operand is `d:` (written) or `s:` (read) and what it must fit: `T`, `U`, a type, or
 * `W`, which is twice as wide as T; `mem` an address, `label` and `any` without a rule.
 * After it: `~` a register may be wider (loads, stores, conversions), `{` a vector of as many elements as the opcode says, `[` also values to be packed or unpacked,
 * `#` a number only, `<N` and `%N` a number below N, a multiple of N, `@` also a special register, `$` also an address, `|` also a second result, `||` always two, `_` may be dropped by `_`, `?` may be missing, `^` is there with
 * `.L2::cache_hint` only. Last, `isa N` and `sm N`: the first version and target that have the form.
 * A root without forms is not checked.
 *
 * Effects: `pure` depends on its operands only. `load` and `store` as memory accesses; a prefetch writes nothing but must stay, whereas a dead load would be removed. `barrier`: order, which
 * threads take part, or memory at another time. `warp`: a result computed from all lanes' values. `call` may read and write anything.
 */

export type Effect = "pure" | "load" | "store" | "barrier" | "warp" | "call" | "control";

/** Named sets of words. */
export const WORD_SETS: Readonly<Record<string, string>> = {
  round: "rn|rz|rm|rp",
  toint: "rni|rzi|rmi|rpi",
  fcmp: "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan",
  ucmp: "eq|ne|lt|le|gt|ge|lo|ls|hi|hs",
  cmp: "eq|ne|lt|le|gt|ge",
  bool: "and|or|xor",
  scope: "cta|cluster|gpu|sys",
  space: "global|shared|shared::cta|shared::cluster|local|const|param|param::entry|param::func",
  shared: "global|shared|shared::cta|shared::cluster",
  window: "global|shared|local|const|param|shared::cta|shared::cluster|param::entry",
};

/** Named sets of types. */
export const TYPE_SETS: Readonly<Record<string, string>> = {
  int: "u16,u32,u64,s16,s32,s64",
  word: "u32,s32",
  wide: "u32,s32,u64,s64",
  bits: "b16,b32,b64",
  any8: "u8,u16,u32,u64,s8,s16,s32,s64",
  data: "b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64",
  value: "b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64",
};

/** Words and types by the version and the target that first had them; 0: from the beginning. */
export const WORDS_SINCE: Readonly<Record<string, { readonly isa: number; readonly sm: number }>> = {
  "shared::cta": { isa: 78, sm: 0 },
  "shared::cluster": { isa: 78, sm: 0 },
  "param::entry": { isa: 83, sm: 0 },
  "param::func": { isa: 83, sm: 0 },
  cluster: { isa: 78, sm: 90 },
  relaxed: { isa: 60, sm: 70 },
  acquire: { isa: 60, sm: 70 },
  release: { isa: 60, sm: 70 },
  acq_rel: { isa: 60, sm: 70 },
  b128: { isa: 83, sm: 70 },
  bf16: { isa: 70, sm: 80 },
  bf16x2: { isa: 70, sm: 80 },
};

export const INSTRUCTIONS = `
abs pure absolute value
  T=s16,s32,s64 : d:T s:T
  ftz? T=f32 : d:T s:T
  T=f64 : d:T s:T
  ftz? T=f16,f16x2 : d:T s:T isa 65 sm 53
  T=bf16,bf16x2 : d:T s:T isa 70 sm 80
activemask barrier mask of the lanes that run this together
  T=b32 : d:T isa 62 sm 30
add pure a + b
  T=int : d:T s:T s:T
  T=u16x2,s16x2 : d:T s:T s:T isa 80 sm 90
  sat T=s32 : d:T s:T s:T
  cc T=wide : d:T s:T s:T
  round? ftz? sat? T=f32 : d:T s:T s:T
  round? T=f64 : d:T s:T s:T
  rn? ftz? sat? T=f16,f16x2 : d:T s:T s:T isa 42 sm 53
  rn? T=bf16,bf16x2 : d:T s:T s:T isa 78 sm 90
  round? ftz? T=f32x2 : d:T s:T s:T isa 86 sm 100
  round? sat? T=f32 U=f16,bf16 : d:T s:U s:T isa 86 sm 100
addc pure a + b + carry
  cc? T=wide : d:T s:T s:T
alloca call memory on the stack
  T=u32,u64 : d:T s:T s:u32#? isa 73 sm 52
applypriority store changes the eviction priority of a cache line
and pure bitwise and
  T=pred,bits : d:T s:T s:T
atom call reads, changes and writes memory in one step; gives the old value
  relaxed|acquire|release|acq_rel? scope? shared? add T=u32,s32,u64,f32,f64 : d:T_ s:mem s:T s:b64^
  relaxed|acquire|release|acq_rel? scope? shared? add noftz T=f16,f16x2,bf16,bf16x2 : d:T_ s:mem s:T s:b64^ isa 62 sm 60
  relaxed|acquire|release|acq_rel? scope? shared? min|max! T=u32,s32,u64,s64 : d:T_ s:mem s:T s:b64^
  relaxed|acquire|release|acq_rel? scope? shared? bool! T=b32,b64 : d:T_ s:mem s:T s:b64^
  relaxed|acquire|release|acq_rel? scope? shared? inc|dec! T=u32 : d:T_ s:mem s:T s:b64^
  relaxed|acquire|release|acq_rel? scope? shared? exch T=b32,b64,b128 : d:T_ s:mem s:T s:b64^
  relaxed|acquire|release|acq_rel? scope? shared? cas T=b16,b32,b64,b128 : d:T_ s:mem s:T s:T s:b64^
  relaxed|acquire|release|acq_rel? scope? shared? add|min|max! noftz? T=f16,f16x2,bf16,bf16x2,f32 : d:any s:mem s:any s:b64^ vector
bar barrier waits for the threads of the block
  cta? sync : s:u32<16 s:u32%32?
  cta? arrive : s:u32<16 s:u32%32
  cta? red popc T=u32 : d:u32 s:u32<16 s:pred
  cta? red popc T=u32 : d:u32 s:u32<16 s:u32%32 s:pred
  cta? red and|or! T=pred : d:pred s:u32<16 s:pred
  cta? red and|or! T=pred : d:pred s:u32<16 s:u32%32 s:pred
  warp sync : s:b32 isa 60 sm 30
barrier barrier waits for the threads of the block
  cta? sync aligned? : s:u32<16 s:u32%32?
  cta? arrive aligned? : s:u32<16 s:u32%32
  cta? red popc aligned? T=u32 : d:u32 s:u32<16 s:pred
  cta? red popc aligned? T=u32 : d:u32 s:u32<16 s:u32%32 s:pred
  cta? red and|or! aligned? T=pred : d:pred s:u32<16 s:pred
  cta? red and|or! aligned? T=pred : d:pred s:u32<16 s:u32%32 s:pred
  cluster arrive release|relaxed? aligned? : isa 78 sm 90
  cluster wait acquire? aligned? : isa 78 sm 90
bfe pure bit field extract
  T=wide : d:T s:T s:u32<256 s:u32<256
bfi pure bit field insert
  T=b32,b64 : d:T s:T s:T s:u32<256 s:u32<256
bfind pure position of the highest bit that is not a sign
  shiftamt? T=wide : d:u32 s:T
bmsk pure mask of a run of ones
  clamp|wrap! T=b32 : d:u32 s:u32 s:u32 isa 76 sm 70
bra control branch
  uni? : s:label
brev pure bits in reverse order
  T=b32,b64 : d:T s:T
brkpt control breakpoint
  :
brx control branch to one of a list of targets
  uni? idx : s:u32 s:label isa 60 sm 30
call call calls a function
clusterlaunchcontrol call asks for the work of a cluster that is not started yet
clz pure number of leading zeros
  T=b32,b64 : d:u32 s:T
cnot pure 1 if zero, else 0
  T=bits : d:T s:T
copysign pure sign of one value, magnitude of another
  T=f32,f64 : d:T s:T s:T
cos pure cosine, approximated
  approx ftz? T=f32 : d:T s:T
cp barrier asynchronous copy
createpolicy pure makes a cache policy
cvt pure conversion between types
  sat? T=any8 U=any8 : d:T~ s:U~@
  toint! ftz? sat? T=any8 U=f32 : d:T~ s:U~
  toint! sat? T=any8 U=f64,f16 : d:T~ s:U~
  toint! T=any8 U=bf16 : d:T s:U isa 78 sm 90
  round! sat? T=f32,f64,f16 U=any8 : d:T~ s:U~
  round! T=bf16 U=any8 : d:T s:U isa 78 sm 90
  toint? ftz? sat? T=f32 U=f32 : d:T~ s:U~
  toint? sat? T=f64 U=f64 : d:T~ s:U~
  toint? sat? T=f16 U=f16 : d:T~ s:U~
  ftz? sat? T=f64 U=f32 : d:T~ s:U~
  sat? T=f64 U=f16 : d:T~ s:U~
  ftz? sat? T=f32 U=f16 : d:T~ s:U~
  round! ftz? sat? T=f32 U=f64 : d:T~ s:U~
  round! ftz? sat? T=f16 U=f32 : d:T~ s:U~
  round! sat? T=f16 U=f64 : d:T~ s:U~
  rn|rz relu T=f16 U=f32 : d:T~ s:U~ isa 70 sm 80
  rn|rz! relu? satfinite? T=f16x2,bf16x2 U=f32 : d:T s:U s:U isa 70 sm 80
  rs relu? satfinite? T=f16x2,bf16x2 U=f32 : d:T s:U s:U s:b32 isa 87 sm 100
  ? T=f16x2,bf16x2 U=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2,ue8m0x2,f16x2,bf16x2 : d:any s:any s:any?
  ? T=tf32,e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2,ue8m0x2 U=f32,f16x2,bf16x2,e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2,ue8m0x2 : d:any s:any s:any? s:any?
  rn|rz! relu? satfinite? T=bf16 U=f32 : d:T s:U~ isa 70 sm 80
  round! T=bf16 U=f64 : d:T s:U isa 78 sm 90
  toint? T=bf16 U=bf16 : d:T s:U isa 71 sm 80
  round? T=f16 U=bf16 : d:T s:U isa 78 sm 90
  round? T=bf16 U=f16 : d:T s:U isa 78 sm 90
  ftz? T=f32 U=bf16 : d:T~ s:U isa 71 sm 80
  pack sat T=u16,s16 U=s32 : d:b32~ s:s32~ s:s32~ isa 65 sm 72
  pack sat T=u8,s8 U=s32 V=b32 : d:b32~ s:s32~ s:s32~ s:b32~ isa 65 sm 72
  pack sat T=u4,s4 U=s32 V=b32 : d:b32~ s:s32~ s:s32~ s:b32~ isa 65 sm 75
  pack sat u2|s2! T=s32 U=b32 : d:b32~ s:s32~ s:s32~ s:b32~ isa 65 sm 75
cvta pure address of one space to or from a generic address
  to window! T=u32,u64 : d:T s:T
  window! T=u32,u64 : d:T s:T$
discard store drops a cache line without writing it back
div pure a / b
  T=int : d:T s:T s:T
  approx|full! ftz? T=f32 : d:T s:T s:T
  round! ftz? T=f32 : d:T s:T s:T
  round! T=f64 : d:T s:T s:T
dp2a pure dot product of two pairs, added to c
  lo|hi! T=word U=word : d:word s:T s:U s:word isa 50 sm 61
dp4a pure dot product of four bytes, added to c
  T=word U=word : d:word s:T s:U s:word isa 50 sm 61
elect barrier chooses one lane of a warp
ex2 pure 2 to the power of a, approximated
  approx ftz? T=f32 : d:T s:T
  approx T=f16,f16x2 : d:T s:T isa 70 sm 75
  approx ftz T=bf16,bf16x2 : d:T s:T isa 78 sm 90
exit control ends the thread
  :
fence barrier orders memory accesses
  sc|acq_rel? scope! : isa 60 sm 70
  acquire|release! scope! ? : isa 60 sm 70
  proxy ? : s:any? s:any?
  mbarrier_init release cluster :
  ? acquire|release! scope! : isa 86 sm 90
fma pure a * b + c, rounded once
  round! ftz? sat? T=f32 : d:T s:T s:T s:T
  round! T=f64 : d:T s:T s:T s:T
  rn ftz? sat? T=f16,f16x2 : d:T s:T s:T s:T isa 42 sm 53
  rn relu ftz? T=f16,f16x2 : d:T s:T s:T s:T isa 70 sm 80
  rn relu? T=bf16,bf16x2 : d:T s:T s:T s:T isa 70 sm 80
  rn oob relu? T=f16,f16x2,bf16,bf16x2 : d:T s:T s:T s:T isa 81 sm 90
  round! ftz? T=f32x2 : d:T s:T s:T s:T isa 86 sm 100
  round! sat? T=f32 U=f16,bf16 : d:T s:U s:U s:T isa 86 sm 100
fns pure finds the n-th set bit
  T=b32 : d:T s:T s:b32 s:b32 isa 60 sm 30
getctarank pure rank of the block that an address belongs to
griddepcontrol barrier waits for or starts dependent grids
isspacep pure does an address lie in a space?
  global|shared|shared::cta|shared::cluster|local|const|param|param::entry! : d:pred s:addr
istypep pure is a handle of a type?
ld load load
  weak? space? ca|cg|cs|lu|cv? unified? T=data,b128 : d:T~{ s:mem s:b64^
  nc global ca|cg|cs? T=data,b128 : d:T~{ s:mem s:b64^
  volatile shared? T=data,b128 : d:T~{ s:mem s:b64^
  relaxed|acquire! scope! shared? T=data,b128 : d:T~{ s:mem s:b64^ isa 60 sm 70
  mmio relaxed sys global? T=data,b128 : d:T~ s:mem isa 82 sm 70
ldmatrix barrier loads matrices from shared memory for the warp
ldu load load of data that is the same for all lanes
  global? T=data : d:T~{ s:mem
lg2 pure logarithm to base 2, approximated
  approx ftz? T=f32 : d:T s:T
lop3 pure three-input logic by an 8-bit truth table
  T=b32 : d:T s:T s:T s:T s:b32# isa 43 sm 50
  and|or! T=b32 : d:T||_ s:T s:T s:T s:b32# s:pred isa 82 sm 70
mad pure a * b + c
  lo|hi! T=int : d:T s:T s:T s:T
  wide T=u16,u32,s16,s32 : d:W s:T s:T s:W
  hi sat T=s32 : d:T s:T s:T s:T
  lo|hi! cc T=wide : d:T s:T s:T s:T
  round! ftz? sat? T=f32 : d:T s:T s:T s:T
  round! T=f64 : d:T s:T s:T s:T
mad24 pure a * b + c of 24-bit values
  lo|hi! T=u32,s32 : d:T s:T s:T s:T
  hi sat T=s32 : d:T s:T s:T s:T
madc pure a * b + c + carry
  lo|hi! cc? T=wide : d:T s:T s:T s:T
mapa pure address in the shared memory of another block of the cluster
match barrier lanes that hold the same value
  any sync T=b32,b64 : d:b32 s:T s:u32 isa 60 sm 70
  all sync T=b32,b64 : d:b32| s:T s:u32 isa 60 sm 70
max pure larger of two
  T=int : d:T s:T s:T
  T=u16x2,s16x2 : d:T s:T s:T isa 80 sm 90
  relu T=s16x2,s32 : d:T s:T s:T isa 80 sm 90
  ftz? T=f32 : d:T s:T s:T
  T=f64 : d:T s:T s:T
  ftz? NaN T=f32 : d:T s:T s:T isa 70 sm 80
  ftz? NaN? xorsign abs T=f32 : d:T s:T s:T isa 72 sm 86
  ftz? NaN? abs? T=f32 : d:T s:T s:T s:T isa 88 sm 100
  ftz? NaN? T=f16,f16x2 : d:T s:T s:T isa 70 sm 80
  ftz? NaN? xorsign abs T=f16,f16x2 : d:T s:T s:T isa 72 sm 86
  NaN? T=bf16,bf16x2 : d:T s:T s:T isa 70 sm 80
  NaN? xorsign abs T=bf16,bf16x2 : d:T s:T s:T isa 72 sm 86
mbarrier barrier barrier object in shared memory
membar barrier orders memory accesses
  cta|gl|sys! :
min pure smaller of two
  = max
mma warp product of matrices, added to a third, by the warp
mov pure copy, or the address of a symbol
  T=value,pred : d:T[{ s:T@$[{
  T=b128 : d:T[ s:T[ isa 83 sm 70
movmatrix warp transposes a matrix in registers
mul pure a * b
  lo|hi! T=int : d:T s:T s:T
  wide T=u16,u32,s16,s32 : d:W s:T s:T
  round? ftz? sat? T=f32 : d:T s:T s:T
  round? T=f64 : d:T s:T s:T
  rn? ftz? sat? T=f16,f16x2 : d:T s:T s:T isa 42 sm 53
  rn? T=bf16,bf16x2 : d:T s:T s:T isa 78 sm 90
  round? ftz? T=f32x2 : d:T s:T s:T isa 86 sm 100
mul24 pure a * b of 24-bit values
  lo|hi! T=u32,s32 : d:T s:T s:T
multimem call access to several memories at once
nanosleep barrier sleeps for some time
  T=u32 : s:T isa 63 sm 70
neg pure -a
  = abs
not pure bitwise not
  T=pred,bits : d:T s:T
or pure bitwise or
  = and
pmevent call triggers a performance event
popc pure number of ones
  T=b32,b64 : d:u32 s:T
prefetch store brings a cache line
prefetchu store brings a cache line to the uniform cache
prmt pure picks bytes of a pair
  f4e|b4e|rc8|ecl|ecr|rc16? T=b32 : d:T s:T s:T s:T
rcp pure 1 / a
  approx ftz? T=f32 : d:T s:T
  round! ftz? T=f32 : d:T s:T
  round! T=f64 : d:T s:T
  approx ftz T=f64 : d:T s:T
red call changes memory in one step, without a result
  relaxed|release? scope? shared? add T=u32,s32,u64,f32,f64 : s:mem s:T s:b64^
  relaxed|release? scope? shared? add noftz T=f16,f16x2,bf16,bf16x2 : s:mem s:T s:b64^ isa 62 sm 60
  relaxed|release? scope? shared? min|max! T=u32,s32,u64,s64 : s:mem s:T s:b64^
  relaxed|release? scope? shared? bool! T=b32,b64 : s:mem s:T s:b64^
  relaxed|release? scope? shared? inc|dec! T=u32 : s:mem s:T s:b64^
  async ? : s:any s:any s:any
  relaxed|release? scope? shared? add|min|max! noftz? T=f16,f16x2,bf16,bf16x2,f32 : s:mem s:any s:b64^ vector
redux barrier one value made of all lanes' values
  sync add|min|max! T=u32,s32 : d:T s:T s:u32 isa 70 sm 80
  sync bool! T=b32 : d:T s:T s:u32 isa 70 sm 80
  sync min|max! abs? NaN? T=f32 : d:T s:T s:u32 isa 86 sm 100
rem pure remainder of a / b
  T=int : d:T s:T s:T
ret control returns to the caller; in a kernel, ends the thread
  uni? :
rsqrt pure 1 / square root
  approx ftz? T=f32 : d:T s:T
  approx ftz? T=f64 : d:T s:T
sad pure |a - b| + c
  T=int : d:T s:T s:T s:T
selp pure a if the predicate holds, else b
  T=value : d:T s:T s:T s:pred
set pure compare; all ones or zero
  eq|ne! bool& T=u32,s32,f32 U=bits : d:T s:U s:U s:pred
  cmp! bool& T=u32,s32,f32 U=s16,s32,s64 : d:T s:U s:U s:pred
  ucmp! bool& T=u32,s32,f32 U=u16,u32,u64 : d:T s:U s:U s:pred
  fcmp! bool& ftz? T=u32,s32,f32 U=f32 : d:T s:U s:U s:pred
  fcmp! bool& T=u32,s32,f32 U=f64 : d:T s:U s:U s:pred
  fcmp! bool& ftz? T=f16,u16,s16,u32,s32 U=f16 : d:T s:U s:U s:pred isa 42 sm 53
  fcmp! bool& ftz? T=f16x2 U=f16x2 : d:T s:U s:U s:pred isa 42 sm 53
  fcmp! bool& T=u16,s16,u32,s32 U=bf16 : d:T s:U s:U s:pred isa 78 sm 90
  fcmp! bool& T=bf16 U=bf16,f32,f64 : d:b16 s:U s:U s:pred isa 78 sm 90
  fcmp! bool& T=bf16x2 U=bf16x2 : d:b32 s:U s:U s:pred isa 78 sm 90
  fcmp! bool& ftz? T=f16 U=f32 : d:T s:U s:U s:pred isa 42 sm 53
  fcmp! bool& T=f16 U=f64 : d:T s:U s:U s:pred isa 42 sm 53
  eq|ne! bool& T=f16,bf16 U=bits : d:T s:U s:U s:pred isa 42 sm 53
  cmp! bool& T=f16,bf16 U=s16,s32,s64 : d:T s:U s:U s:pred isa 42 sm 53
  ucmp! bool& T=f16,bf16 U=u16,u32,u64 : d:T s:U s:U s:pred isa 42 sm 53
setmaxnreg barrier changes how many registers the warp has
setp pure compare; predicate
  eq|ne! bool& T=bits : d:pred_| s:T s:T s:pred
  cmp! bool& T=s16,s32,s64 : d:pred_| s:T s:T s:pred
  ucmp! bool& T=u16,u32,u64 : d:pred_| s:T s:T s:pred
  fcmp! bool& ftz? T=f32 : d:pred_| s:T s:T s:pred
  fcmp! bool& T=f64 : d:pred_| s:T s:T s:pred
  fcmp! bool& ftz? T=f16 : d:pred_ s:T s:T s:pred isa 42 sm 53
  fcmp! bool& ftz? T=f16x2 : d:pred_| s:T s:T s:pred isa 42 sm 53
  fcmp! bool& T=bf16 : d:pred_ s:T s:T s:pred isa 78 sm 90
  fcmp! bool& T=bf16x2 : d:pred_| s:T s:T s:pred isa 78 sm 90
shf pure funnel shift of a pair
  l|r! clamp|wrap! T=b32 : d:T s:T s:T s:u32 isa 31 sm 32
shfl barrier value of another lane
  sync up|down|bfly|idx! T=b32 : d:b32| s:T s:b32 s:b32 s:u32 isa 60 sm 30
  up|down|bfly|idx! T=b32 : d:b32| s:T s:b32 s:b32 until 64 70
shl pure shift to the left
  T=bits : d:T s:T s:u32
shr pure shift to the right
  T=bits,int : d:T s:T s:u32
sin pure sine, approximated
  approx ftz? T=f32 : d:T s:T
slct pure a if c is not negative, else b
  T=value U=s32 : d:T s:T s:T s:U
  ftz? T=value U=f32 : d:T s:T s:T s:U
sqrt pure square root
  approx ftz? T=f32 : d:T s:T
  round! ftz? T=f32 : d:T s:T
  round! T=f64 : d:T s:T
st store store
  weak? global|shared|shared::cta|shared::cluster|local|param|param::entry|param::func? wb|cg|cs|wt? T=data,b128 : s:mem s:T~{ s:b64^
  volatile shared? T=data,b128 : s:mem s:T~{ s:b64^
  relaxed|release! scope! shared? T=data,b128 : s:mem s:T~{ s:b64^ isa 60 sm 70
  mmio relaxed sys global? T=data,b128 : s:mem s:T~ isa 82 sm 70
  async ? : s:any s:any s:any?
  bulk ? : s:any s:any s:any
stackrestore call gives back memory of the stack
  T=u32,u64 : s:T isa 73 sm 52
stacksave call remembers the top of the stack
  T=u32,u64 : d:T isa 73 sm 52
stmatrix barrier stores matrices to shared memory for the warp
sub pure a - b
  T=int : d:T s:T s:T
  sat T=s32 : d:T s:T s:T
  cc T=wide : d:T s:T s:T
  round? ftz? sat? T=f32 : d:T s:T s:T
  round? T=f64 : d:T s:T s:T
  rn? ftz? sat? T=f16,f16x2 : d:T s:T s:T isa 42 sm 53
  rn? T=bf16,bf16x2 : d:T s:T s:T isa 78 sm 90
  round? ftz? T=f32x2 : d:T s:T s:T isa 86 sm 100
  round? sat? T=f32 U=f16,bf16 : d:T s:U s:T isa 86 sm 100
subc pure a - b - borrow
  = addc
suld load load from a surface
suq load asks about a surface
sured call changes a surface in one step
sust store store to a surface
szext pure keeps low bits and extends them
  clamp|wrap! T=u32,s32 : d:T s:T s:u32 isa 76 sm 70
tanh pure hyperbolic tangent, approximated
  approx T=f32 : d:T s:T isa 70 sm 75
  approx T=f16,f16x2 : d:T s:T isa 70 sm 75
  approx T=bf16,bf16x2 : d:T s:T isa 78 sm 90
tcgen05 barrier tensor core of the fifth generation
tensormap barrier changes a tensor map
testp pure what kind of float is it?
  finite|infinite|number|notanumber|normal|subnormal? T=f32,f64 : d:pred s:T
tex load reads a texture
tld4 load reads four texels
trap control stops the kernel with an error
  :
txq load asks about a texture
vote barrier asks all lanes of the warp
  sync all|any|uni! T=pred : d:T s:T s:u32 isa 60 sm 30
  sync ballot T=b32 : d:T s:pred s:u32 isa 60 sm 30
  all|any|uni! T=pred : d:T s:T until 64 70
  ballot T=b32 : d:T s:pred until 64 70
wgmma barrier product of matrices by a warp group
wmma warp product of matrices by the warp
xor pure bitwise exclusive or
  = and
`;

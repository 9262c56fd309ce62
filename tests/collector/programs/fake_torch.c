// A LibTorch of a version that the observer was not built for: it has every symbol that the
// observer names, and calling any but the version's would show as a crash.
#include <stdint.h>
#include <stdlib.h>

#define JITSCOPE_EXPORTED __attribute__((visibility("default")))

JITSCOPE_EXPORTED uint64_t aoti_torch_abi_version(void) { return UINT64_C(0x0263) << 48; }

#define JITSCOPE_FAKE(number, symbol)                        \
  JITSCOPE_EXPORTED void fake##number(void) __asm__(symbol); \
  void fake##number(void) { abort(); }

JITSCOPE_FAKE(1, "_ZN2at14RecordFunction15currentThreadIdEv")
JITSCOPE_FAKE(2, "_ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE")
JITSCOPE_FAKE(3, "_ZNK2at14RecordFunction4nameEv")
JITSCOPE_FAKE(4, "_ZNK3c106IValue12isTensorListEv")
JITSCOPE_FAKE(5, "_ZNK3c106IValue20isOptionalTensorListEv")
JITSCOPE_FAKE(6, "_ZN3c1019UndefinedTensorImpl10_singletonE")
JITSCOPE_FAKE(7,
              "_ZN3c106detail23torchInternalAssertFailEPKcS2_jS2_"
              "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE")

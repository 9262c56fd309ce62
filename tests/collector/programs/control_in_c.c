// That a program in plain C can steer its recording: this only has to compile.
#include "collector/control.h"

int steer(void);

int steer(void) {
  jitscope_start();
  jitscope_step();
  jitscope_trigger("queue is long");
  jitscope_stop();
  return jitscope_is_recording();
}

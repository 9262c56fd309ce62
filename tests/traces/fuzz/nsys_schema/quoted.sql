CREATE TABLE "StringIds" ("id""; DROP" INTEGER, "value" TEXT); CREATE TABLE "CUPTI_ACTIVITY_KIND_'x" (a); CREATE TABLE "NVTX_EVENTS_😀" (start, end, eventType);

/** ELK, unchanged, as a worker. */
import "elkjs/lib/elk-worker.min.js";

import { limits } from '../../base/limits.ts';
import type { Timers } from '../../engine/ports.ts';

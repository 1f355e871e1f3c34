import { describeDestroyed } from '../../../test/support/destroyed-contract.ts';
import { openSqliteState } from './sqlite-state-store.ts';

describeDestroyed('memory', () => openSqliteState({ file: ':memory:' }));

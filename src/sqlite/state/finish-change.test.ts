import { describeFolding } from '../../../test/support/folding-contract.ts';
import { openSqliteState } from './sqlite-state-store.ts';

describeFolding('memory', () => openSqliteState({ file: ':memory:' }));

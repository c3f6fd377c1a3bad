import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

/**
 * The SDK looks for a home, which a service need not have: where the system knows none it would fail, and where there
 * is one it is the operator's. Holds for the thread that imports this, and has to be imported before the SDK.
 */
os.homedir = () => '/nonexistent';
syncBuiltinESMExports();

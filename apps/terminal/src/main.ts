import { runProgram } from './program/program';

// What is left to write is written before the process ends.
process.exitCode = await runProgram(process.argv.slice(2));

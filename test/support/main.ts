/** Runs the main function of a program of the tests, or prints its usage: with --help, and after an error, with exit code 2. */
export function runMain(usage: string, main: () => number): void {
  try {
    if (process.argv.includes('--help')) process.stdout.write(`${usage}\n`);
    else process.exitCode = main();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`);
    process.exitCode = 2;
  }
}

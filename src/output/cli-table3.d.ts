/** The functions with which cli-table3 measures, which its own types leave out. */
declare module 'cli-table3/src/utils.js' {
  const measures: {
    strlen(text: string): number;
    truncate(text: string, width: number, sign: string): string;
    pad(text: string, width: number, filler: string, alignment: string): string;
  };
  export = measures;
}

/** `npm run bench`: compares cb's exports with alternatives, on a local server. */
import { type Contender, missing } from './contenders.ts';
import { measureGrowth } from './memory.ts';
import { type Options, readOptions } from './options.ts';
import { race, type Standing } from './race.ts';
import { growthText, raceText, verdictText } from './report.ts';
import { verdictsOn } from './requirements.ts';
import { type Latency, openWorld, type World } from './world.ts';

/** A complete run takes at most five minutes. */
const raceSeconds: Readonly<Record<Latency, number>> = { 0: 220, 50: 20, 200: 40 };

async function runRaces(world: World, { races, isQuick }: Options) {
  const standings = new Map<Latency, readonly Standing[]>();
  for (const [latency, contenders] of races) {
    const standing = await race(world, contenders, {
      latency,
      share: isQuick ? 0.2 : 1,
      rounds: isQuick ? 1 : 3,
      until: performance.now() + raceSeconds[latency] * 1000,
    });
    standings.set(latency, standing);
    console.log(raceText(latency, standing));
    tellMissing(contenders);
  }
  return standings;
}

function tellMissing(contenders: readonly Contender[]): void {
  for (const contender of contenders) {
    const programs = missing(contender).join(', ');
    if (programs) console.log(`  ${contender.says}: not installed: ${programs}`);
  }
}

async function runGrowths(world: World, { growths, isQuick }: Options) {
  const measured = [];
  for (const format of growths) {
    measured.push(await measureGrowth(world, format, isQuick ? 1 : 3));
  }
  if (measured.length > 0) console.log(growthText(measured));
  return measured;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const world = await openWorld();
  process.once('SIGINT', () => {
    world.close();
    process.exit(130);
  });
  try {
    const races = await runRaces(world, options);
    const growths = await runGrowths(world, options);
    const verdicts = verdictsOn({ races, growths });
    if (verdicts.length > 0) console.log(verdictText(verdicts));
  } finally {
    world.close();
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});

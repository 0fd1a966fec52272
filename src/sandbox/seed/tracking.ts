/** Tracking parameters of a purchase: the names that the service gives them, beside names of the vendor's own. */
import { pacificTime } from '../../dates/pacific.ts';
import type { Random } from './random.ts';

const DEVICES = ['DESKTOP', 'MOBILE', 'TABLET'];
const SOURCES = ['facebook', 'google', 'newsletter', 'youtube'];

/** One of the texts, by a number at hand: another draw from `random` would change every later sale. */
function chosen(from: readonly string[], number: number): string {
  return from[number % from.length] ?? '';
}

/** What the click brought along; `at` is the instant of the purchase. */
export function commonTracking(random: Random, at: number): string {
  const campaign = random.pick(['spring', 'q1 <b>']);
  return JSON.stringify({
    clickTimestamp: pacificTime(at - 60 - (at % 3600)),
    clickId: `c-${at.toString(36)}`,
    deviceType: chosen(DEVICES, at),
    extclid: `x${at}`,
    utm_source: 'mail',
    utm_campaign: campaign,
  });
}

/** What the affiliate brought along. */
export function affiliateTracking(random: Random): string {
  const number = random.integer(1, 9999);
  return JSON.stringify({
    affSub1: String(number),
    affSub2: `lp-${number % 7}`,
    affSub3: chosen(DEVICES, number).toLowerCase(),
    affSub4: `v${number % 3}`,
    affSub5: 'a&b <c>',
    trafficType: number % 2 ? 'PAID' : 'ORGANIC',
    trafficSource: chosen(SOURCES, number),
    offer: `offer-${number % 5}`,
    campaign: `campaign-${number % 11}`,
    adgroup: `group-${number % 13}`,
    ad: `ad-${number % 17}`,
    creative: `creative-${number % 19}`,
    aff_note: `n${number}`,
  });
}

/** The rules for saving a product (the table of PUT in section 4.4 of the specification). */
import type { Arguments } from '../../operations/operation.ts';
import { products } from '../../operations/products.ts';
import { centsOf } from '../money/cents.ts';
import { CURRENCIES } from '../money/currency.ts';
import { insistFacts } from '../request/param-facts.ts';
import { insist } from '../request/refusal.ts';
import type { Image } from '../store/products/image.ts';

/** A product as received. */
export type SentProduct = Arguments<typeof products.save.params>;

/** The kind of a product, by its components. */
export function kindOf(product: SentProduct) {
  const { digital, physical, digitalRecurring, physicalRecurring } = product;
  return {
    isDigital: digital === true || digitalRecurring === true,
    isPhysical: physical === true || physicalRecurring === true,
    isRecurring: digitalRecurring === true || physicalRecurring === true,
  };
}

function insistAll(product: SentProduct, names: readonly (keyof SentProduct)[], of: string): void {
  for (const name of names) {
    insist(product[name] !== undefined, 400, `A ${of} product needs the parameter ${name}.`);
  }
}

function insistEither(
  product: SentProduct,
  one: keyof SentProduct,
  other: keyof SentProduct,
): void {
  const given = product[one] !== undefined || product[other] !== undefined;
  insist(given, 400, `The parameter ${one} or ${other} is required.`);
}

function insistWholeCents(product: SentProduct): void {
  for (const name of ['price', 'rebillPrice'] as const) {
    const whole = Number.isSafeInteger(centsOf(product[name] ?? '0'));
    insist(whole, 400, `The parameter ${name} must have at most two decimal digits.`);
  }
}

function insistNumbers(product: SentProduct): void {
  insistWholeCents(product);
  const { currency, trialPeriod = 0 } = product;
  insist(
    CURRENCIES.includes(currency.toUpperCase()),
    400,
    `The parameter currency must be one of ${CURRENCIES.join(', ')}.`,
  );
  const fits = trialPeriod === 0 || trialPeriod >= 3;
  insist(fits, 400, 'The parameter trialPeriod must be 0 or a whole number from 3 to 31.');
}

function insistImage({ image }: SentProduct, images: readonly Image[]): void {
  const exists = image === undefined || images.some(({ id }) => String(id) === image);
  const says = `The parameter image must be the ID of a product image of the site, and ${image} is none.`;
  insist(exists, 400, says);
}

/** Refuses a product that breaks a rule with 400; `images` are the product images of the site. */
export function insistSavable(product: SentProduct, images: readonly Image[]): void {
  insistFacts(products.save.params, product);
  insistNumbers(product);
  insistImage(product, images);
  const { isDigital, isPhysical, isRecurring } = kindOf(product);
  const categorized = product.categories !== undefined;
  insist(categorized || !isDigital, 400, 'A digital product needs at least one of the categories.');
  insist(
    !categorized || isDigital,
    400,
    'The parameter categories goes with a digital product only.',
  );
  insistEither(product, 'thankYouPage', 'mobileThankYouPage');
  insistEither(product, 'pitchPage', 'mobilePitchPage');
  if (isRecurring) {
    insistAll(product, ['rebillPrice', 'trialPeriod', 'frequency', 'duration'], 'recurring');
  }
  if (isPhysical) insistAll(product, ['description'], 'physical');
}

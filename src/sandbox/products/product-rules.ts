/** The rules for saving a product (the table of PUT in section 4.4 of the specification). */
import type { Arguments } from '../../operations/operation.ts';
import { products } from '../../operations/products.ts';
import { CURRENCIES, centsOf } from '../money/money.ts';
import { assertFacts } from '../request/arguments.ts';
import { assertOr } from '../request/refusal.ts';
import type { Image } from '../store/products/product.ts';

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

function assertAll(product: SentProduct, names: readonly (keyof SentProduct)[], of: string): void {
  for (const name of names) {
    assertOr(product[name] !== undefined, 400, `A ${of} product requires the parameter ${name}.`);
  }
}

function assertEither(
  product: SentProduct,
  one: keyof SentProduct,
  other: keyof SentProduct,
): void {
  const given = product[one] !== undefined || product[other] !== undefined;
  assertOr(given, 400, `The parameter ${one} or ${other} is required.`);
}

function assertWholeCents(product: SentProduct): void {
  for (const name of ['price', 'rebillPrice'] as const) {
    const whole = Number.isSafeInteger(centsOf(product[name] ?? '0'));
    assertOr(whole, 400, `The parameter ${name} must have at most two decimal digits.`);
  }
}

function assertNumbers(product: SentProduct): void {
  assertWholeCents(product);
  const { currency, trialPeriod = 0 } = product;
  assertOr(
    CURRENCIES.includes(currency.toUpperCase()),
    400,
    `The parameter currency must be one of ${CURRENCIES.join(', ')}.`,
  );
  const fits = trialPeriod === 0 || trialPeriod >= 3;
  assertOr(fits, 400, 'The parameter trialPeriod must be 0 or a whole number from 3 to 31.');
}

function assertImage({ image }: SentProduct, images: readonly Image[]): void {
  const exists = image === undefined || images.some(({ id }) => String(id) === image);
  const says = `The parameter image must be the ID of a product image of the site. ${image} is not.`;
  assertOr(exists, 400, says);
}

/** Refuses a product that breaks a rule with 400; `images` are the product images of the site. */
export function assertSavable(product: SentProduct, images: readonly Image[]): void {
  assertFacts(products.save.params, product);
  assertNumbers(product);
  assertImage(product, images);
  const { isDigital, isPhysical, isRecurring } = kindOf(product);
  const categorized = product.categories !== undefined;
  assertOr(categorized || !isDigital, 400, 'A digital product requires the parameter categories.');
  assertOr(
    !categorized || isDigital,
    400,
    'The parameter categories is only for digital products.',
  );
  assertEither(product, 'thankYouPage', 'mobileThankYouPage');
  assertEither(product, 'pitchPage', 'mobilePitchPage');
  if (isRecurring) {
    assertAll(product, ['rebillPrice', 'trialPeriod', 'frequency', 'duration'], 'recurring');
  }
  if (isPhysical) assertAll(product, ['description'], 'physical');
}

/** Removes what identifies a customer from rows as received. */
import type { Resource } from '../../../operations/resource.ts';
import type { ServiceRow } from './table.ts';

/**
 * Fields of the service that hold names, addresses, phone numbers, or text that customers or support wrote. The texts
 * of products are the vendor's, but `description` is left out there, too: their column has it.
 */
const personalFields = new Set([
  ...['firstName', 'lastName', 'fullName', 'email', 'postalCode', 'customerContactInfo'],
  ...['customerFirstName', 'customerLastName', 'customerDisplayName', 'emailAtOrderTime'],
  ...['address1', 'address2', 'city', 'phoneNumber', 'shippedTo', 'last_action_performed_by'],
  ...['description', 'note', 'comment', 'comments', 'vendorVariables'],
]);

/** Keeps only known fields that are not personal: a field that nobody has looked at may be. */
export function withoutPersonalData(row: ServiceRow, resource: Resource): ServiceRow {
  const kept = Object.entries(row).filter(
    ([name]) => name in resource.fields && !personalFields.has(name),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const inner = resource.fields[name]?.resource;
      return [name, inner ? stripped(value, inner) : value];
    }),
  );
}

function stripped(value: unknown, resource: Resource): unknown {
  if (Array.isArray(value)) return value.map((one) => stripped(one, resource));
  if (typeof value !== 'object' || value === null) return value;
  return withoutPersonalData(value as ServiceRow, resource);
}

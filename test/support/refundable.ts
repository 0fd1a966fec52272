/** Selects sales that can be refunded with a simple ticket. */
interface Order {
  readonly receipt: string;
  readonly customerRefundableState: string;
  readonly lineItemData: readonly { readonly shippable: boolean }[];
}

/** The command that lists these and other sales. */
export const listOfSales = ['orders', 'list', '--type', 'SALE', '--period', 'last-45-days'];

/** The distinct receipts of refundable sales of one digital item. */
export function refundableReceipts(sales: readonly unknown[]): string[] {
  const receipts = (sales as readonly Order[])
    .filter(({ customerRefundableState }) => customerRefundableState === 'REFUNDABLE')
    .filter(({ lineItemData }) => lineItemData.length === 1 && !lineItemData[0]?.shippable)
    .map(({ receipt }) => receipt);
  return [...new Set(receipts)];
}

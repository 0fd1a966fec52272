/** Which of many sales can be given back with a plain ticket. */
interface Order {
  readonly receipt: string;
  readonly customerRefundableState: string;
  readonly lineItemData: readonly { readonly shippable: boolean }[];
}

/** What lists such sales, and some others. */
export const listOfSales = ['orders', 'list', '--type', 'SALE', '--period', 'last-45-days'];

/** The receipts, each once, of sales of one item that is not shipped and may be refunded. */
export function refundableReceipts(sales: readonly unknown[]): string[] {
  const receipts = (sales as readonly Order[])
    .filter(({ customerRefundableState }) => customerRefundableState === 'REFUNDABLE')
    .filter(({ lineItemData }) => lineItemData.length === 1 && !lineItemData[0]?.shippable)
    .map(({ receipt }) => receipt);
  return [...new Set(receipts)];
}

# Completion of cb for fish; made by `cb completion fish`.

function __cb_below
    switch "$argv[1]"
        case ''
            printf '%s\t%s\n' 'orders' 'Find sales, rebills, refunds; change subscriptions' 'tickets' 'Refunds, cancellations and technical support of customers' 'products' 'List, read, save and delete products' 'quickstats' 'Sales, refunds and chargebacks per account and day' 'ship' 'Orders to be shipped, and notices of what was' 'analytics' 'Figures by dimension, subscriptions and their trends' 'api' 'Send any request to the service, unchecked' 'login' 'Store an API key as a profile' 'logout' 'Forget the key of a profile' 'whoami' 'Show which service and key are used, and what the key may do' 'profiles' 'List, switch and remove stored keys' 'doctor' 'Look for what is wrong with the set-up, and tell what mends it' 'config' 'Settings of a profile, such as its pace' 'sandbox' 'The whole service on this machine, to try, script and test' 'completion' 'Let the shell complete commands, flags, values and what was seen lately' 'help' 'Help on a command, or on a topic such as dates, output or safety'
        case 'orders'
            printf '%s\t%s\n' 'list' 'List transactions: sales, rebills, refunds, chargebacks' 'watch' 'Show new orders as they come, until you stop it' 'count' 'Count transactions, with the filters of list' 'get' 'Show all transactions of a receipt: the sale, its rebills, its refund' 'active' 'Tell whether an order or subscription is active (exit code 0) or not (9)' 'upsells' 'List the upsells of an order' 'reinstate' 'Restart a cancelled subscription, up to 60 days after its cancellation (beta)' 'pause' 'Pause a subscription until a day (beta)' 'extend' 'Add rebill periods to a subscription (beta)' 'change-product' 'Move a subscription to another product, up or down (beta)' 'change-address' 'Change the shipping address of a physical subscription' 'change-date' 'Change the next bill date of a subscription (beta)' 'schema' 'Print the XML Schema of an order'
        case 'tickets'
            printf '%s\t%s\n' 'list' 'Search tickets; periods of more than 7 days are asked for in parts' 'count' 'Count tickets' 'get' 'Show a ticket with its comments' 'create' 'Open a ticket: refund, cancellation or technical support' 'refund-amounts' 'Show what a refund would pay back' 'refund' 'Refund a payment or cancel a subscription, step by step' 'close' 'Close a ticket; closing an open refund cancels the refund' 'reopen' 'Reopen a closed ticket' 'change' 'Change the kind of a ticket; changed to rfnd, it is a full refund' 'comment' 'Add a comment to a ticket' 'returned' 'Acknowledge that a physical item came back; its refund then completes' 'schema' 'Print the XML Schema of a ticket' 'partial-refund-schema' 'Print the XML Schema of refund amounts'
        case 'products'
            printf '%s\t%s\n' 'list' 'List the products of a site' 'get' 'Show a product' 'save' 'Make a product, or change it' 'delete' 'Delete a product' 'schema' 'Print the XML Schema of a product' 'images' 'List the images of a site, with the IDs that --image of products save takes' 'image-schema' 'Print the XML Schema of an image'
        case 'quickstats'
            printf '%s\t%s\n' 'list' 'Sales, refunds and chargebacks per account and day' 'count' 'Sales, refunds and chargebacks per account, summed over the period' 'report' 'Make one HTML page of the period: totals, charts and tables, by day and by account' 'accounts' 'List the account nicknames that the key may read' 'schema' 'Print the XML Schema of quickstats'
        case 'ship'
            printf '%s\t%s\n' 'list' 'List physical orders that are to be shipped, or were' 'count' 'Count physical orders that are to be shipped, or were' 'schema' 'Print the XML Schema of a shippable order' 'notice' 'Tell what was shipped, and read it'
        case 'ship notice'
            printf '%s\t%s\n' 'add' 'Tell that an order was shipped; each call adds a notice' 'list' 'List the ship notices of a receipt' 'schema' 'Print the XML Schema of a ship notice' 'import' 'Create ship notices from a CSV file'
        case 'analytics'
            printf '%s\t%s\n' 'status' 'Tell whether the analytics are up to date: GREEN, YELLOW or RED' 'dimension' 'Figures by affiliate, country, tracking id or another dimension' 'summary' 'Figures of a dimension summed up, for your account or for all others' 'trends' 'Sums over subscriptions, by product and by day' 'subscriptions' 'List subscriptions, by what happened to them or will' 'schema' 'Print an XML Schema'
        case 'analytics subscriptions'
            printf '%s\t%s\n' 'list' 'List all subscriptions' 'completing-30' 'List subscriptions that complete in the next 30 days' 'completing-60' 'List subscriptions that complete in the next 60 days' 'canceled-30' 'List subscriptions canceled in the last 30 days' 'canceled-60' 'List subscriptions canceled in the last 60 days' 'by-start-date' 'List subscriptions that started in a period' 'by-cancel-date' 'List subscriptions that were canceled in a period' 'by-next-payment-date' 'List subscriptions whose next payment falls into a period' 'by-status' 'List subscriptions of a status'
        case 'analytics schema'
            printf '%s\t%s\n' 'AnalyticsStatus' 'Print the XML Schema of the analytics status' 'AnalyticsResult' 'Print the XML Schema of figures by dimension' 'SubscriptionDetailResult' 'Print the XML Schema of subscription listings' 'SubscriptionDetailResultRow' 'Print the XML Schema of one subscription' 'SubscriptionTrendsData' 'Print the XML Schema of subscription trends'
        case 'profiles'
            printf '%s\t%s\n' 'list' 'List the profiles, without their keys' 'use' 'Use a profile from now on; sandbox is one too' 'remove' 'Forget a profile and its key'
        case 'config'
            printf '%s\t%s\n' 'list' 'List all settings of a profile' 'get' 'Print what holds for a setting, set or not' 'set' 'Set a setting of a profile' 'unset' 'Forget what was set, so that the default holds' 'path' 'Print the file that holds profiles and settings'
        case 'sandbox'
            printf '%s\t%s\n' 'start' 'Serve the sandbox to other programs until Ctrl-C' 'exec' 'Run a program with CB_BASE_URL and CB_API_KEY set to the sandbox' 'reset' 'Throw away what was changed and make up as many orders again' 'seed' 'Fill the sandbox with another set of orders' 'status' 'Show the contents, clock, faults and keys of the sandbox' 'clock' 'Show the clock of the sandbox, or advance it: sales, rebills and refunds happen' 'faults' 'Show the faults of the sandbox, set them, or end them'
        case 'completion'
            printf '%s\t%s\n' 'bash' 'Print the script of bash 3.2 or newer' 'zsh' 'Print the script of zsh 5 or newer' 'fish' 'Print the script of fish 3 or newer' 'powershell' 'Print the script of PowerShell 5 or newer' 'install' 'Write the script where the shell looks for it' 'forget' 'Forget the receipts, ticket IDs, SKUs, image IDs and accounts that were kept'
        case 'help'
            printf '%s\t%s\n' 'orders' 'Find sales, rebills, refunds; change subscriptions' 'tickets' 'Refunds, cancellations and technical support of customers' 'products' 'List, read, save and delete products' 'quickstats' 'Sales, refunds and chargebacks per account and day' 'ship' 'Orders to be shipped, and notices of what was' 'analytics' 'Figures by dimension, subscriptions and their trends' 'api' 'Send any request to the service, unchecked' 'login' 'Store an API key as a profile' 'logout' 'Forget the key of a profile' 'whoami' 'Show which service and key are used, and what the key may do' 'profiles' 'List, switch and remove stored keys' 'doctor' 'Look for what is wrong with the set-up, and tell what mends it' 'config' 'Settings of a profile, such as its pace' 'sandbox' 'The whole service on this machine, to try, script and test' 'completion' 'Let the shell complete commands, flags, values and what was seen lately' 'dates' 'a topic' 'output' 'a topic' 'exit-codes' 'a topic' 'environment' 'a topic' 'credentials' 'a topic' 'safety' 'a topic'
        case 'help orders'
            printf '%s\t%s\n' 'list' 'List transactions: sales, rebills, refunds, chargebacks' 'watch' 'Show new orders as they come, until you stop it' 'count' 'Count transactions, with the filters of list' 'get' 'Show all transactions of a receipt: the sale, its rebills, its refund' 'active' 'Tell whether an order or subscription is active (exit code 0) or not (9)' 'upsells' 'List the upsells of an order' 'reinstate' 'Restart a cancelled subscription, up to 60 days after its cancellation (beta)' 'pause' 'Pause a subscription until a day (beta)' 'extend' 'Add rebill periods to a subscription (beta)' 'change-product' 'Move a subscription to another product, up or down (beta)' 'change-address' 'Change the shipping address of a physical subscription' 'change-date' 'Change the next bill date of a subscription (beta)' 'schema' 'Print the XML Schema of an order'
        case 'help tickets'
            printf '%s\t%s\n' 'list' 'Search tickets; periods of more than 7 days are asked for in parts' 'count' 'Count tickets' 'get' 'Show a ticket with its comments' 'create' 'Open a ticket: refund, cancellation or technical support' 'refund-amounts' 'Show what a refund would pay back' 'refund' 'Refund a payment or cancel a subscription, step by step' 'close' 'Close a ticket; closing an open refund cancels the refund' 'reopen' 'Reopen a closed ticket' 'change' 'Change the kind of a ticket; changed to rfnd, it is a full refund' 'comment' 'Add a comment to a ticket' 'returned' 'Acknowledge that a physical item came back; its refund then completes' 'schema' 'Print the XML Schema of a ticket' 'partial-refund-schema' 'Print the XML Schema of refund amounts'
        case 'help products'
            printf '%s\t%s\n' 'list' 'List the products of a site' 'get' 'Show a product' 'save' 'Make a product, or change it' 'delete' 'Delete a product' 'schema' 'Print the XML Schema of a product' 'images' 'List the images of a site, with the IDs that --image of products save takes' 'image-schema' 'Print the XML Schema of an image'
        case 'help quickstats'
            printf '%s\t%s\n' 'list' 'Sales, refunds and chargebacks per account and day' 'count' 'Sales, refunds and chargebacks per account, summed over the period' 'report' 'Make one HTML page of the period: totals, charts and tables, by day and by account' 'accounts' 'List the account nicknames that the key may read' 'schema' 'Print the XML Schema of quickstats'
        case 'help ship'
            printf '%s\t%s\n' 'list' 'List physical orders that are to be shipped, or were' 'count' 'Count physical orders that are to be shipped, or were' 'schema' 'Print the XML Schema of a shippable order' 'notice' 'Tell what was shipped, and read it'
        case 'help ship notice'
            printf '%s\t%s\n' 'add' 'Tell that an order was shipped; each call adds a notice' 'list' 'List the ship notices of a receipt' 'schema' 'Print the XML Schema of a ship notice' 'import' 'Create ship notices from a CSV file'
        case 'help analytics'
            printf '%s\t%s\n' 'status' 'Tell whether the analytics are up to date: GREEN, YELLOW or RED' 'dimension' 'Figures by affiliate, country, tracking id or another dimension' 'summary' 'Figures of a dimension summed up, for your account or for all others' 'trends' 'Sums over subscriptions, by product and by day' 'subscriptions' 'List subscriptions, by what happened to them or will' 'schema' 'Print an XML Schema'
        case 'help analytics subscriptions'
            printf '%s\t%s\n' 'list' 'List all subscriptions' 'completing-30' 'List subscriptions that complete in the next 30 days' 'completing-60' 'List subscriptions that complete in the next 60 days' 'canceled-30' 'List subscriptions canceled in the last 30 days' 'canceled-60' 'List subscriptions canceled in the last 60 days' 'by-start-date' 'List subscriptions that started in a period' 'by-cancel-date' 'List subscriptions that were canceled in a period' 'by-next-payment-date' 'List subscriptions whose next payment falls into a period' 'by-status' 'List subscriptions of a status'
        case 'help analytics schema'
            printf '%s\t%s\n' 'AnalyticsStatus' 'Print the XML Schema of the analytics status' 'AnalyticsResult' 'Print the XML Schema of figures by dimension' 'SubscriptionDetailResult' 'Print the XML Schema of subscription listings' 'SubscriptionDetailResultRow' 'Print the XML Schema of one subscription' 'SubscriptionTrendsData' 'Print the XML Schema of subscription trends'
        case 'help profiles'
            printf '%s\t%s\n' 'list' 'List the profiles, without their keys' 'use' 'Use a profile from now on; sandbox is one too' 'remove' 'Forget a profile and its key'
        case 'help config'
            printf '%s\t%s\n' 'list' 'List all settings of a profile' 'get' 'Print what holds for a setting, set or not' 'set' 'Set a setting of a profile' 'unset' 'Forget what was set, so that the default holds' 'path' 'Print the file that holds profiles and settings'
        case 'help sandbox'
            printf '%s\t%s\n' 'start' 'Serve the sandbox to other programs until Ctrl-C' 'exec' 'Run a program with CB_BASE_URL and CB_API_KEY set to the sandbox' 'reset' 'Throw away what was changed and make up as many orders again' 'seed' 'Fill the sandbox with another set of orders' 'status' 'Show the contents, clock, faults and keys of the sandbox' 'clock' 'Show the clock of the sandbox, or advance it: sales, rebills and refunds happen' 'faults' 'Show the faults of the sandbox, set them, or end them'
        case 'help completion'
            printf '%s\t%s\n' 'bash' 'Print the script of bash 3.2 or newer' 'zsh' 'Print the script of zsh 5 or newer' 'fish' 'Print the script of fish 3 or newer' 'powershell' 'Print the script of PowerShell 5 or newer' 'install' 'Write the script where the shell looks for it' 'forget' 'Forget the receipts, ticket IDs, SKUs, image IDs and accounts that were kept'
    end
end

function __cb_sets
    switch "$argv[1]"
        case 'orders list'
            string split ' ' '1 2'
        case 'orders watch'
            string split ' ' '3 4'
        case 'orders count'
            string split ' ' '5 6'
        case 'orders get'
            string split ' ' '7 8'
        case 'orders active'
            string split ' ' '7 9'
        case 'orders upsells'
            string split ' ' '8'
        case 'orders reinstate'
            string split ' ' '7 9 10'
        case 'orders pause'
            string split ' ' '11 9 10'
        case 'orders extend'
            string split ' ' '12 9 10'
        case 'orders change-product'
            string split ' ' '13 14 9'
        case 'orders change-address'
            string split ' ' '15 9 10'
        case 'orders change-date'
            string split ' ' '16 9 10'
        case 'orders schema'
            string split ' ' '6'
        case 'tickets list'
            string split ' ' '17 2'
        case 'tickets count'
            string split ' ' '18 6'
        case 'tickets get'
            string split ' ' '6'
        case 'tickets create'
            string split ' ' '19 20 6'
        case 'tickets refund-amounts'
            string split ' ' '21 6'
        case 'tickets refund'
            string split ' ' '6 22'
        case 'tickets close'
            string split ' ' '23 6 10'
        case 'tickets reopen'
            string split ' ' '24 14 6'
        case 'tickets change'
            string split ' ' '25 14 6'
        case 'tickets comment'
            string split ' ' '26 6 10'
        case 'tickets returned'
            string split ' ' '9 10'
        case 'tickets schema'
            string split ' ' '6'
        case 'tickets partial-refund-schema'
            string split ' ' '6'
        case 'products list'
            string split ' ' '27 8'
        case 'products get'
            string split ' ' '28 6'
        case 'products save'
            string split ' ' '29 6 10'
        case 'products delete'
            string split ' ' '28 9 10'
        case 'products schema'
            string split ' ' '6'
        case 'products images'
            string split ' ' '30 8'
        case 'products image-schema'
            string split ' ' '6'
        case 'quickstats list'
            string split ' ' '31 32'
        case 'quickstats count'
            string split ' ' '31 32'
        case 'quickstats report'
            string split ' ' '33 34'
        case 'quickstats accounts'
            string split ' ' '8'
        case 'quickstats schema'
            string split ' ' '6'
        case 'ship list'
            string split ' ' '35 2'
        case 'ship count'
            string split ' ' '35 6'
        case 'ship schema'
            string split ' ' '36 6'
        case 'ship notice add'
            string split ' ' '37 38 6'
        case 'ship notice list'
            string split ' ' '36 8'
        case 'ship notice schema'
            string split ' ' '36 6'
        case 'ship notice import'
            string split ' ' '39 40 9'
        case 'analytics status'
            string split ' ' '6'
        case 'analytics dimension'
            string split ' ' '41 42'
        case 'analytics summary'
            string split ' ' '43 42'
        case 'analytics trends'
            string split ' ' '44 45'
        case 'analytics subscriptions list'
            string split ' ' '46 8'
        case 'analytics subscriptions completing-30'
            string split ' ' '46 8'
        case 'analytics subscriptions completing-60'
            string split ' ' '46 8'
        case 'analytics subscriptions canceled-30'
            string split ' ' '46 8'
        case 'analytics subscriptions canceled-60'
            string split ' ' '46 8'
        case 'analytics subscriptions by-start-date'
            string split ' ' '47 8'
        case 'analytics subscriptions by-cancel-date'
            string split ' ' '47 8'
        case 'analytics subscriptions by-next-payment-date'
            string split ' ' '47 8'
        case 'analytics subscriptions by-status'
            string split ' ' '48 8'
        case 'analytics schema AnalyticsStatus'
            string split ' ' '6'
        case 'analytics schema AnalyticsResult'
            string split ' ' '6'
        case 'analytics schema SubscriptionDetailResult'
            string split ' ' '6'
        case 'analytics schema SubscriptionDetailResultRow'
            string split ' ' '6'
        case 'analytics schema SubscriptionTrendsData'
            string split ' ' '6'
        case 'api'
            string split ' ' '49'
        case 'login'
            string split ' ' '50'
        case 'whoami'
            string split ' ' '9'
        case 'profiles list'
            string split ' ' '51'
        case 'doctor'
            string split ' ' '52 51'
        case 'config list'
            string split ' ' '51'
        case 'config get'
            string split ' ' '9'
        case 'config path'
            string split ' ' '9'
        case 'sandbox start'
            string split ' ' '53'
        case 'sandbox exec'
            string split ' ' '54'
        case 'sandbox seed'
            string split ' ' '55'
        case 'sandbox status'
            string split ' ' '9'
        case 'sandbox faults'
            string split ' ' '9'
        case 'completion install'
            string split ' ' '56'
    end
end

function __cb_places
    switch "$argv[1]"
        case 'orders get'
            string split ' ' 'ask:receipt'
        case 'orders active'
            string split ' ' 'ask:receipt'
        case 'orders upsells'
            string split ' ' 'ask:receipt'
        case 'orders reinstate'
            string split ' ' 'ask:receipt'
        case 'orders pause'
            string split ' ' 'ask:receipt'
        case 'orders extend'
            string split ' ' 'ask:receipt'
        case 'orders change-product'
            string split ' ' 'ask:receipt'
        case 'orders change-address'
            string split ' ' 'ask:receipt'
        case 'orders change-date'
            string split ' ' 'ask:receipt'
        case 'tickets get'
            string split ' ' 'ask:ticket'
        case 'tickets create'
            string split ' ' 'ask:receipt'
        case 'tickets refund-amounts'
            string split ' ' 'ask:receipt'
        case 'tickets refund'
            string split ' ' 'ask:receipt'
        case 'tickets close'
            string split ' ' 'ask:ticket ...'
        case 'tickets reopen'
            string split ' ' 'ask:ticket ...'
        case 'tickets change'
            string split ' ' 'ask:ticket ...'
        case 'tickets comment'
            string split ' ' 'ask:ticket ...'
        case 'tickets returned'
            string split ' ' 'ask:ticket ...'
        case 'products get'
            string split ' ' 'ask:sku'
        case 'products save'
            string split ' ' 'ask:sku'
        case 'products delete'
            string split ' ' 'ask:sku'
        case 'ship notice add'
            string split ' ' 'ask:receipt'
        case 'ship notice list'
            string split ' ' 'ask:receipt'
        case 'ship notice import'
            string split ' ' 'files'
        case 'analytics dimension'
            string split ' ' 'values:20'
        case 'analytics summary'
            string split ' ' 'values:20'
        case 'api'
            string split ' ' 'values:26 free'
        case 'profiles use'
            string split ' ' 'ask:profiles'
        case 'profiles remove'
            string split ' ' 'ask:profiles'
        case 'config get'
            string split ' ' 'values:27'
        case 'config set'
            string split ' ' 'values:27 free'
        case 'config unset'
            string split ' ' 'values:27'
        case 'sandbox exec'
            string split ' ' 'files ...'
        case 'sandbox clock'
            string split ' ' 'free free'
        case 'sandbox faults'
            string split ' ' 'free'
        case 'completion install'
            string split ' ' 'values:28'
        case 'help'
            string split ' ' '...'
    end
end

function __cb_set
    switch "$argv[1]"
        case '0'
            printf '%s\t%s\t%s\n' '-V' '' 'Show the version' '--version' '' 'Show the version' '-o' 'values:0' 'table, json, ndjson, csv, tsv or xml' '--output' 'values:0' 'table, json, ndjson, csv, tsv or xml' '--sandbox' '' 'Use the built-in sandbox instead of the live service' '--profile' 'ask:profiles' 'Use this profile; sandbox, or sandbox:read-only, is built in' '--all-profiles' '' 'Read from every profile; --profile a,b reads from several' '--no-input' '' 'Never ask anything' '--no-color' '' 'No colour' '--tz' 'free' 'Count days in this zone (default: Pacific, as the service does)' '--timeout' 'free' 'The longest that one request may take (default: 60)' '--max-wait' 'free' 'The longest to wait for another try, in all (default: 60)' '--wire' 'values:1' 'Ask the service for json (default) or xml' '--debug' '' 'Show each request on stderr, and where a fault is' '-h' '' 'Show this help' '--help' '' 'Show this help'
        case '1'
            printf '%s\t%s\t%s\n' '--start-date' 'values:2' 'First day of the search' '--end-date' 'values:2' 'Last day of the search' '--type' 'values:3' 'Kind of transaction' '--vendor' 'ask:account' 'Vendor nickname' '--affiliate' 'free' 'Affiliate nickname, or \'none\' for orders without one' '--last-name' 'free' 'Last name of the customer' '--item' 'ask:sku' 'Item number in the order' '--email' 'free' 'E-mail address of the customer' '--tid' 'free' 'Tracking id or promo code, of vendor or affiliate' '--postal-code' 'free' 'Postal code of the customer' '--role' 'values:4' 'Role of your account in the transaction' '--amount' 'free' 'Total amount of the transaction' '--period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026'
        case '2'
            printf '%s\t%s\t%s\n' '--fields' 'free' 'Only these columns, as in receipt,lineItemData.itemNo' '--query' 'free' 'A JMESPath expression over the whole list' '--expand' 'free' 'A row for each element of this list, as in lineItemData' '--limit' 'free' 'At most so many rows' '--out' 'files' 'Write to a file, whole or not at all; its ending picks the format' '--raw' '' 'Print the answer as received' '--bom' '' 'csv: begin with a byte order mark, for Excel' '--crlf' '' 'csv: end lines with CR LF' '--delimiter' 'free' 'csv: instead of the comma' '--text-ids' '' 'csv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed' '--spread' 'free' 'csv, tsv: columns for the first n elements (default: 3)' '--no-header' '' 'csv, tsv: without the line of column names, as for >>' '--page' 'free' 'Only this page of the service, of 100 rows' '--concurrency' 'free' 'Pages under way at once (default: 10)' '--max-pages' 'free' 'Maximum number of pages of one period (default: 10000)' '--resume' '' 'Continue an export that was stopped; requires --out' '--since-last' 'free' 'Only rows that earlier runs of this name did not return' '--append' 'files' 'Add the rows of --since-last to a file, each exactly once'
        case '3'
            printf '%s\t%s\t%s\n' '--type' 'free' 'Kind of transaction: SALE (sale), RFND (refund), CGBK (chargeback), FEE (fee), BILL (rebill), TEST_SALE (test sale), TEST_BILL (test rebill), TEST_RFND (test refund), TEST_FEE (test fee) (default: all kinds)' '--vendor' 'free' 'Vendor nickname; % matches any text' '--affiliate' 'free' 'Affiliate nickname, or \'none\' for orders without one; % matches any text' '--last-name' 'free' 'Last name of the customer; % matches any text' '--item' 'free' 'Item number in the order' '--email' 'free' 'E-mail address of the customer; % matches any text' '--tid' 'free' 'Tracking id or promo code, of vendor or affiliate' '--postal-code' 'free' 'Postal code of the customer; % matches any text' '--role' 'free' 'Role of your account in the transaction: VENDOR (you sold it), AFFILIATE (you referred it)' '--amount' 'free' 'Total amount of the transaction' '--every' 'free' 'Seconds between two looks (default: 30)' '--today' '' 'First those of today so far'
        case '4'
            printf '%s\t%s\t%s\n' '--fields' 'free' 'Only these columns, as in receipt,lineItemData.itemNo' '--expand' 'free' 'A row for each element of this list, as in lineItemData' '--limit' 'free' 'At most so many rows' '--bom' '' 'csv: begin with a byte order mark, for Excel' '--crlf' '' 'csv: end lines with CR LF' '--delimiter' 'free' 'csv: instead of the comma' '--text-ids' '' 'csv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed' '--spread' 'free' 'csv, tsv: columns for the first n elements (default: 3)' '--no-header' '' 'csv, tsv: without the line of column names, as for >>'
        case '5'
            printf '%s\t%s\t%s\n' '--start-date' 'values:2' 'First day of the search' '--end-date' 'values:2' 'Last day of the search' '--type' 'values:3' 'Kind of transaction' '--vendor' 'ask:account' 'Vendor nickname' '--affiliate' 'free' 'Affiliate nickname, or \'none\' for orders without one' '--last-name' 'free' 'Last name of the customer' '--item' 'ask:sku' 'Item number in the order' '--email' 'free' 'E-mail address of the customer' '--tid' 'free' 'Tracking id or promo code, of vendor or affiliate' '--postal-code' 'free' 'Postal code of the customer' '--role' 'values:4' 'Role of your account in the transaction' '--period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026'
        case '6'
            printf '%s\t%s\t%s\n' '--out' 'files' 'Write to a file, whole or not at all; its ending picks the format' '--raw' '' 'Print the answer as received'
        case '7'
            printf '%s\t%s\t%s\n' '--sku' 'ask:sku' 'Item number of the line item, when the order has several'
        case '8'
            printf '%s\t%s\t%s\n' '--fields' 'free' 'Only these columns, as in receipt,lineItemData.itemNo' '--query' 'free' 'A JMESPath expression over the whole list' '--expand' 'free' 'A row for each element of this list, as in lineItemData' '--limit' 'free' 'At most so many rows' '--out' 'files' 'Write to a file, whole or not at all; its ending picks the format' '--raw' '' 'Print the answer as received' '--bom' '' 'csv: begin with a byte order mark, for Excel' '--crlf' '' 'csv: end lines with CR LF' '--delimiter' 'free' 'csv: instead of the comma' '--text-ids' '' 'csv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed' '--spread' 'free' 'csv, tsv: columns for the first n elements (default: 3)' '--no-header' '' 'csv, tsv: without the line of column names, as for >>'
        case '9'
            printf '%s\t%s\t%s\n' '--out' 'files' 'Write to a file, whole or not at all; its ending picks the format'
        case '10'
            printf '%s\t%s\t%s\n' '-y' '' 'Send the request without asking for confirmation' '--yes' '' 'Send the request without asking for confirmation' '--dry-run' '' 'Read and check everything, print the request, and send nothing' '--verify-wait' 'free' 'Longest time to look for a write whose answer was lost, as in 30s (default: 10s)'
        case '11'
            printf '%s\t%s\t%s\n' '--restart-date' 'values:2' 'Day on which it resumes: not before the next payment, at most 60 days ahead' '--sku' 'ask:sku' 'Item number of the line item, when the order has several'
        case '12'
            printf '%s\t%s\t%s\n' '--num-periods' 'free' 'Number of rebill periods to add' '--sku' 'ask:sku' 'Item number of the line item, when the order has several'
        case '13'
            printf '%s\t%s\t%s\n' '--old-sku' 'ask:sku' 'SKU of the current product' '--new-sku' 'ask:sku' 'SKU of the new product, in the same currency' '--carry-affiliate' '' 'Carry the original affiliate over to the new subscription' '--no-carry-affiliate' '' 'Carry the original affiliate over to the new subscription' '--apply-prorated-refund' '' 'Refund the unused part of the period' '--no-apply-prorated-refund' '' 'Refund the unused part of the period' '--next-rebill-date' 'values:2' 'Day of the next rebill'
        case '14'
            printf '%s\t%s\t%s\n' '--allow-refund' '' 'Allow this command to refund a sale when no person confirms it' '-y' '' 'Send the request without asking for confirmation' '--yes' '' 'Send the request without asking for confirmation' '--dry-run' '' 'Read and check everything, print the request, and send nothing' '--verify-wait' 'free' 'Longest time to look for a write whose answer was lost, as in 30s (default: 10s)'
        case '15'
            printf '%s\t%s\t%s\n' '--first-name' 'free' 'First name of the customer' '--last-name' 'free' 'Last name of the customer' '--address1' 'free' 'First line of the address' '--address2' 'free' 'Second line of the address' '--city' 'free' 'City' '--county' 'free' 'County' '--province' 'free' 'State or province' '--country-code' 'free' 'Country code, as in US' '--postal-code' 'free' 'Postal code'
        case '16'
            printf '%s\t%s\t%s\n' '--change-date' 'values:2' 'Day of the next payment' '--sku' 'ask:sku' 'Item number of the line item, when the order has several'
        case '17'
            printf '%s\t%s\t%s\n' '--type' 'values:6' 'Kind of ticket' '--status' 'values:7' 'Status of the ticket' '--receipt' 'ask:receipt' 'Receipt, with the tickets of its rebills' '--create-date-from' 'values:2' 'First day on which it was opened' '--create-date-to' 'values:2' 'Last day on which it was opened' '--update-date-from' 'values:2' 'First day on which it was updated' '--update-date-to' 'values:2' 'Last day on which it was updated' '--close-date-from' 'values:2' 'First day on which it was closed' '--close-date-to' 'values:2' 'Last day on which it was closed' '--create-period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' '--update-period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' '--close-period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026'
        case '18'
            printf '%s\t%s\t%s\n' '--type' 'values:6' 'Kind of ticket' '--status' 'values:7' 'Status of the ticket' '--receipt' 'ask:receipt' 'Receipt, with the tickets of its rebills'
        case '19'
            printf '%s\t%s\t%s\n' '--type' 'values:6' 'Kind of ticket' '--reason' 'values:8' 'Why, matching the kind of ticket' '--refund-type' 'values:9' 'How much to refund' '--refund-amount' 'free' 'Percent (1 to 80) or amount to refund' '--sku' 'ask:sku' 'Item number of the line item, when the order has several' '--comment' 'free' 'Comment on the ticket' '--retain-subscription' '' 'Keep the subscription after the refund' '--no-retain-subscription' '' 'Keep the subscription after the refund' '--from' 'files' 'Create a ticket for each row of this CSV file, none twice; - reads stdin and needs --journal' '--map' 'free' 'Columns by parameter, as in \'Order - Number=receipt,Code=tracking\'' '--preset' 'values:10' 'Columns of a shipping tool: shipstation' '--delimiter' 'free' 'Cell delimiter (default: detected in the header)' '--skip-invalid' '' 'Skip invalid rows and send the others' '--retry-unknown' '' 'Send rows of unknown outcome again, after looking for them once more' '--journal' 'files' 'Journal file (default: FILE.cb-journal)' '--restart' '' 'Set the old journal aside and start again' '--results' 'files' 'Result file, one line per row (default: FILE.results.csv)' '--concurrency' 'free' 'Number of receipts to send at the same time (default: 4)'
        case '20'
            printf '%s\t%s\t%s\n' '--allow-duplicate' '' 'Send the request even if an equal ticket or ship notice exists' '--allow-refund' '' 'Allow this command to refund a sale when no person confirms it' '-y' '' 'Send the request without asking for confirmation' '--yes' '' 'Send the request without asking for confirmation' '--dry-run' '' 'Read and check everything, print the request, and send nothing' '--verify-wait' 'free' 'Longest time to look for a write whose answer was lost, as in 30s (default: 10s)'
        case '21'
            printf '%s\t%s\t%s\n' '--sku' 'ask:sku' 'Item number of the line item, when the order has several' '--refund-type' 'values:9' 'How much to refund' '--refund-amount' 'free' 'Percent (1 to 80) or amount to refund'
        case '22'
            printf '%s\t%s\t%s\n' '--allow-duplicate' '' 'Send the request even if an equal ticket or ship notice exists' '--dry-run' '' 'Ask and check everything, print the request, and send nothing' '--verify-wait' 'free' 'Longest time to look for a write whose answer was lost, as in 30s (default: 10s)'
        case '23'
            printf '%s\t%s\t%s\n' '--comment' 'free' 'Comment on the ticket'
        case '24'
            printf '%s\t%s\t%s\n' '--comment' 'free' 'Why it is reopened'
        case '25'
            printf '%s\t%s\t%s\n' '--type' 'values:6' 'Kind of ticket' '--comment' 'free' 'Comment on the ticket'
        case '26'
            printf '%s\t%s\t%s\n' '--comment' 'free' 'What to say'
        case '27'
            printf '%s\t%s\t%s\n' '--site' 'ask:account' 'Nickname of the account that owns the product' '--type' 'values:11' 'Kind of product'
        case '28'
            printf '%s\t%s\t%s\n' '--site' 'ask:account' 'Nickname of the account that owns the product'
        case '29'
            printf '%s\t%s\t%s\n' '--site' 'ask:account' 'Nickname of the account that owns the product' '--currency' 'free' 'Currency it is sold in, as in USD' '--price' 'free' 'Price; of a recurring product the initial one' '--language' 'values:12' 'Language' '--title' 'free' 'Title' '--digital' '' 'It has a digital component' '--no-digital' '' 'It has a digital component' '--physical' '' 'It has a physical component' '--no-physical' '' 'It has a physical component' '--digital-recurring' '' 'It has a digital recurring component' '--no-digital-recurring' '' 'It has a digital recurring component' '--physical-recurring' '' 'It has a physical recurring component' '--no-physical-recurring' '' 'It has a physical recurring component' '--categories' 'several:13' 'Category; needed for a digital product, refused for others' '--skip-confirmation-page' '' 'Skip the confirmation page, where the key may' '--no-skip-confirmation-page' '' 'Skip the confirmation page, where the key may' '--thank-you-page' 'free' 'Thank-you page; this or the mobile one is needed' '--mobile-thank-you-page' 'free' 'Thank-you page for mobile devices' '--rebill-price' 'free' 'Price of a rebill; needed for a recurring product' '--rebill-commission' 'free' 'Commission on a rebill, in percent' '--trial-period' 'free' 'Days of trial: 0, or 3 to 31; needed for a recurring product' '--frequency' 'values:14' 'How often it is billed; needed for a recurring product' '--duration' 'free' 'Number of rebills; 999 is endless; needed for a recurring product' '--shipping-profile' 'free' 'Name of the shipping profile of a physical product' '--purchase-commission' 'free' 'Commission on a sale, in percent' '--description' 'free' 'Description; needed for a physical product' '--image' 'ask:image' 'ID of the image, as `cb products images` lists it' '--pitch-page' 'free' 'Pitch page; this or the mobile one is needed' '--mobile-pitch-page' 'free' 'Pitch page for mobile devices' '--sale-refund-days-limit' 'free' 'Days within which a sale can be refunded' '--rebill-refund-days-limit' 'free' 'Days within which a rebill can be refunded' '--delivery-method' 'free' 'Delivery method' '--delivery-speed' 'free' 'Delivery speed' '--pre-rebill-notification-override' '' 'Announce rebills also when they need no notice' '--no-pre-rebill-notification-override' '' 'Announce rebills also when they need no notice' '--pre-rebill-notification-lead-time' 'free' 'Days before a rebill at which it is announced' '--from' 'files' 'Take what is not typed from a product as `products get -o json` prints it; - is stdin'
        case '30'
            printf '%s\t%s\t%s\n' '--site' 'ask:account' 'Nickname of the account that owns the images' '--type' 'values:15' 'Kind of image' '--approved-only' '' 'Only approved images' '--no-approved-only' '' 'Only approved images'
        case '31'
            printf '%s\t%s\t%s\n' '--start-date' 'values:2' 'First day' '--end-date' 'values:2' 'Last day' '--account' 'ask:account' 'Account nickname' '--period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026'
        case '32'
            printf '%s\t%s\t%s\n' '--fields' 'free' 'Only these columns, as in receipt,lineItemData.itemNo' '--query' 'free' 'A JMESPath expression over the whole list' '--expand' 'free' 'A row for each element of this list, as in lineItemData' '--limit' 'free' 'At most so many rows' '--out' 'files' 'Write to a file, whole or not at all; its ending picks the format' '--raw' '' 'Print the answer as received' '--bom' '' 'csv: begin with a byte order mark, for Excel' '--crlf' '' 'csv: end lines with CR LF' '--delimiter' 'free' 'csv: instead of the comma' '--text-ids' '' 'csv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed' '--spread' 'free' 'csv, tsv: columns for the first n elements (default: 3)' '--no-header' '' 'csv, tsv: without the line of column names, as for >>' '--totals' '' 'Add the row over all others in every format' '--chart' '' 'Draw a chart in place of a table, of this figure (default: sale, refund, chargeback)'
        case '33'
            printf '%s\t%s\t%s\n' '--start-date' 'values:2' 'First day (default: 45 days ago)' '--end-date' 'values:2' 'Last day (default: today)' '--account' 'free' 'Account nickname (default: all accounts of the key)' '--period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026'
        case '34'
            printf '%s\t%s\t%s\n' '--out' 'files' 'The page, written whole or not at all; - is stdout'
        case '35'
            printf '%s\t%s\t%s\n' '--status' 'values:16' 'Which orders' '--days' 'free' 'Orders of so many last days; dates go before' '--start-date' 'values:2' 'First day' '--end-date' 'values:2' 'Last day' '--receipt' 'ask:receipt' 'Receipt; the other filters are then ignored' '--period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' '--generation' 'values:17' 'Generation of the service: 1, 2, 3 (default: 3)'
        case '36'
            printf '%s\t%s\t%s\n' '--generation' 'values:17' 'Generation of the service: 1, 2, 3 (default: 3)'
        case '37'
            printf '%s\t%s\t%s\n' '--date' 'values:2' 'Day of shipping: not before the purchase, not in the future' '--carrier' 'free' 'Carrier, as in USPS' '--tracking' 'free' 'Tracking id' '--comments' 'free' 'Comments on the notice' '--item' 'ask:sku' 'Item number, needed when the order has several physical items' '--fill-order' '' 'Mark the whole order as shipped: create the other notices too' '--no-fill-order' '' 'Mark the whole order as shipped: create the other notices too' '--generation' 'values:17' 'Generation of the service: 1, 2, 3 (default: 3)'
        case '38'
            printf '%s\t%s\t%s\n' '--allow-duplicate' '' 'Send the request even if an equal ticket or ship notice exists' '-y' '' 'Send the request without asking for confirmation' '--yes' '' 'Send the request without asking for confirmation' '--dry-run' '' 'Read and check everything, print the request, and send nothing' '--verify-wait' 'free' 'Longest time to look for a write whose answer was lost, as in 30s (default: 10s)'
        case '39'
            printf '%s\t%s\t%s\n' '--date' 'values:2' 'Day of shipping: not before the purchase, not in the future (required)' '--carrier' 'free' 'Carrier, as in USPS (required)' '--tracking' 'free' 'Tracking id' '--comments' 'free' 'Comments on the notice' '--item' 'free' 'Item number, needed when the order has several physical items' '--fill-order' '' 'Mark the whole order as shipped: create the other notices too' '--no-fill-order' '' 'Do not mark the whole order as shipped' '--map' 'free' 'Columns by parameter, as in \'Order - Number=receipt,Code=tracking\'' '--preset' 'values:10' 'Columns of a shipping tool: shipstation' '--delimiter' 'free' 'Cell delimiter (default: detected in the header)' '--skip-invalid' '' 'Skip invalid rows and send the others' '--retry-unknown' '' 'Send rows of unknown outcome again, after looking for them once more' '--journal' 'files' 'Journal file (default: FILE.cb-journal)' '--restart' '' 'Set the old journal aside and start again' '--results' 'files' 'Result file, one line per row (default: FILE.results.csv)' '--concurrency' 'free' 'Number of receipts to send at the same time (default: 4)'
        case '40'
            printf '%s\t%s\t%s\n' '--allow-duplicate' '' 'Send the request even if an equal ticket or ship notice exists' '--verify-wait' 'free' 'Longest time to look for a write whose answer was lost, as in 30s (default: 10s)' '-y' '' 'Send the requests without asking for confirmation' '--yes' '' 'Send the requests without asking for confirmation' '--dry-run' '' 'Read and check everything, print the requests, and send nothing'
        case '41'
            printf '%s\t%s\t%s\n' '--role' 'values:18' 'Your role' '--account' 'ask:account' 'Account nickname' '--start-date' 'values:2' 'First day' '--end-date' 'values:2' 'Last day' '--dimension-filter' 'free' 'Only rows whose dimension has this id; upper and lower case count' '--select' 'several:19' 'Figures to show; several, or separated by commas' '--order-by' 'values:19' 'Figure to order by' '--sort-ascending' '' 'Lowest first' '--no-sort-ascending' '' 'Lowest first' '--period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026'
        case '42'
            printf '%s\t%s\t%s\n' '--fields' 'free' 'Only these columns, as in receipt,lineItemData.itemNo' '--query' 'free' 'A JMESPath expression over the whole list' '--expand' 'free' 'A row for each element of this list, as in lineItemData' '--limit' 'free' 'At most so many rows' '--out' 'files' 'Write to a file, whole or not at all; its ending picks the format' '--raw' '' 'Print the answer as received' '--bom' '' 'csv: begin with a byte order mark, for Excel' '--crlf' '' 'csv: end lines with CR LF' '--delimiter' 'free' 'csv: instead of the comma' '--text-ids' '' 'csv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed' '--spread' 'free' 'csv, tsv: columns for the first n elements (default: 3)' '--no-header' '' 'csv, tsv: without the line of column names, as for >>' '--totals' '' 'Add the row over all others in every format' '--page' 'free' 'Only this page of the service, of 100 rows' '--concurrency' 'free' 'Pages under way at once (default: 10)' '--max-pages' 'free' 'Maximum number of pages of one period (default: 10000)' '--resume' '' 'Continue an export that was stopped; requires --out' '--chart' '' 'Draw a chart in place of a table, of this figure (default: SALE_AMOUNT)'
        case '43'
            printf '%s\t%s\t%s\n' '--role' 'values:18' 'Your role' '--account' 'ask:account' 'Account nickname' '--start-date' 'values:2' 'First day' '--end-date' 'values:2' 'Last day' '--dimension-filter' 'free' 'Only rows whose dimension has this id; upper and lower case count' '--select' 'several:19' 'Figures to show; several, or separated by commas' '--order-by' 'values:19' 'Figure to order by' '--sort-ascending' '' 'Lowest first' '--no-sort-ascending' '' 'Lowest first' '--summary-type' 'values:21' 'Whose figures' '--period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026'
        case '44'
            printf '%s\t%s\t%s\n' '--role' 'values:18' 'Your role' '--account' 'ask:account' 'Account nickname' '--group-by' 'values:22' 'Sum up by' '--product-id' 'free' 'Product id; several, or separated by commas' '--start-date' 'values:2' 'First day' '--end-date' 'values:2' 'Last day' '--period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026'
        case '45'
            printf '%s\t%s\t%s\n' '--fields' 'free' 'Only these columns, as in receipt,lineItemData.itemNo' '--query' 'free' 'A JMESPath expression over the whole list' '--expand' 'free' 'A row for each element of this list, as in lineItemData' '--limit' 'free' 'At most so many rows' '--out' 'files' 'Write to a file, whole or not at all; its ending picks the format' '--raw' '' 'Print the answer as received' '--bom' '' 'csv: begin with a byte order mark, for Excel' '--crlf' '' 'csv: end lines with CR LF' '--delimiter' 'free' 'csv: instead of the comma' '--text-ids' '' 'csv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed' '--spread' 'free' 'csv, tsv: columns for the first n elements (default: 3)' '--no-header' '' 'csv, tsv: without the line of column names, as for >>' '--page' 'free' 'Only this page of the service, of 100 rows' '--concurrency' 'free' 'Pages under way at once (default: 10)' '--max-pages' 'free' 'Maximum number of pages of one period (default: 10000)' '--resume' '' 'Continue an export that was stopped; requires --out' '--chart' '' 'Draw a chart in place of a table, of this figure (default: netSales)'
        case '46'
            printf '%s\t%s\t%s\n' '--role' 'values:18' 'Your role' '--account' 'ask:account' 'Account nickname' '--order-by' 'values:23' 'Field to sort by' '--sort-direction' 'values:24' 'Direction of the sort'
        case '47'
            printf '%s\t%s\t%s\n' '--role' 'values:18' 'Your role' '--account' 'ask:account' 'Account nickname' '--order-by' 'values:23' 'Field to sort by' '--sort-direction' 'values:24' 'Direction of the sort' '--start-date' 'values:2' 'First day' '--end-date' 'values:2' 'Last day' '--period' 'values:5' 'Set both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026'
        case '48'
            printf '%s\t%s\t%s\n' '--role' 'values:18' 'Your role' '--account' 'ask:account' 'Account nickname' '--order-by' 'values:23' 'Field to sort by' '--sort-direction' 'values:24' 'Direction of the sort' '--status' 'values:25' 'Status of the subscription'
        case '49'
            printf '%s\t%s\t%s\n' '-f' 'free' 'A query parameter; several times' '--field' 'free' 'A query parameter; several times' '--page' 'free' 'Send this number in the header Page' '--paginate' '' 'Follow 206 to the last page, body after body' '-i' '' 'Print the status and the headers too' '--include' '' 'Print the status and the headers too' '-y' '' 'Send a changing request without asking for confirmation' '--yes' '' 'Send a changing request without asking for confirmation' '--dry-run' '' 'Print the request and send nothing'
        case '50'
            printf '%s\t%s\t%s\n' '--with-key' '' 'Read the key from stdin instead of asking for it' '--base-url' 'free' 'The service that the key belongs to (default: the live one)' '--keychain' '' 'Store the key in the keychain of the system, not in the file' '--no-check' '' 'Store the key without asking the service about it'
        case '51'
            printf '%s\t%s\t%s\n' '--fields' 'free' 'Only these columns, as in receipt,lineItemData.itemNo' '--query' 'free' 'A JMESPath expression over the whole list' '--expand' 'free' 'A row for each element of this list, as in lineItemData' '--limit' 'free' 'At most so many rows' '--out' 'files' 'Write to a file, whole or not at all; its ending picks the format' '--bom' '' 'csv: begin with a byte order mark, for Excel' '--crlf' '' 'csv: end lines with CR LF' '--delimiter' 'free' 'csv: instead of the comma' '--text-ids' '' 'csv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed' '--spread' 'free' 'csv, tsv: columns for the first n elements (default: 3)' '--no-header' '' 'csv, tsv: without the line of column names, as for >>'
        case '52'
            printf '%s\t%s\t%s\n' '--online' '' 'Also ask the service about each key; on a terminal cb asks' '--no-online' '' 'Look at this machine only, and ask nothing'
        case '53'
            printf '%s\t%s\t%s\n' '--port' 'free' 'The port on 127.0.0.1 (default: any free one)' '--key' 'free' 'Print this key (default: full)' '--faults' 'free' 'Faults of this server alone (see cb sandbox faults --help)'
        case '54'
            printf '%s\t%s\t%s\n' '--key' 'free' 'Use this key (default: full)'
        case '55'
            printf '%s\t%s\t%s\n' '--orders' 'free' 'So many transactions, up to 1000000 (default: 5000)' '--random-seed' 'free' 'The same number makes the same orders (default: 1)'
        case '56'
            printf '%s\t%s\t%s\n' '-y' '' 'powershell: add the line to the profile, too' '--yes' '' 'powershell: add the line to the profile, too'
    end
end

function __cb_values
    switch "$argv[1]"
        case '0'
            printf '%s\t%s\n' 'table' 'for people; the default on a terminal' 'json' 'one valid document' 'ndjson' 'a JSON object a line' 'csv' 'for spreadsheets' 'tsv' 'tab-separated; the default in a pipe' 'xml' 'what the service sent'
        case '1'
            printf '%s\t%s\n' 'json' 'the default' 'xml' ''
        case '2'
            printf '%s\t%s\n' 'today' 'Pacific, as the service counts' 'yesterday' '' 'tomorrow' '' 'monday' 'the latest; any weekday' '-7d' 'so many days ago; also w, m, y' '+30d' 'in so many days'
        case '3'
            printf '%s\t%s\n' 'SALE' 'sale' 'RFND' 'refund' 'CGBK' 'chargeback' 'FEE' 'fee' 'BILL' 'rebill' 'TEST_SALE' 'test sale' 'TEST_BILL' 'test rebill' 'TEST_RFND' 'test refund' 'TEST_FEE' 'test fee'
        case '4'
            printf '%s\t%s\n' 'VENDOR' 'you sold it' 'AFFILIATE' 'you referred it'
        case '5'
            printf '%s\t%s\n' 'today' '' 'yesterday' '' 'last-7-days' 'any number of days, weeks, months' 'last-30-days' '' 'this-week' '' 'last-week' '' 'this-month' '' 'last-month' '' 'last-3-months' '' 'this-quarter' '' 'last-quarter' '' 'this-year' '' 'last-year' ''
        case '6'
            printf '%s\t%s\n' 'rfnd' 'refund; on a subscription it also ends future billing' 'cncl' 'cancellation; on a one-time sale it refunds the sale' 'tech' 'technical support'
        case '7'
            printf '%s\t%s\n' 'open' 'waiting' 'reopened' 'closed once, waiting again' 'closed' 'done'
        case '8'
            printf '%s\t%s\n' 'ticket.type.cancel.1' 'no additional value for recurring payments' 'ticket.type.cancel.2' 'not satisfied, or did not meet expectations' 'ticket.type.cancel.3' 'no vendor support' 'ticket.type.cancel.4' 'not compatible with computer' 'ticket.type.cancel.5' 'cannot afford continuing payments' 'ticket.type.cancel.6' 'did not realize terms for continuing payments were accepted' 'ticket.type.cancel.7' 'other' 'ticket.type.cancel.not.mobile' 'not compatible with mobile device' 'ticket.type.refund.1' 'product never received' 'ticket.type.refund.2' 'not satisfied, or did not meet expectations' 'ticket.type.refund.3' 'not compatible with computer' 'ticket.type.refund.4' 'no technical support' 'ticket.type.refund.5' 'purchase not authorized' 'ticket.type.refund.6' 'purchase not recognized' 'ticket.type.refund.7' 'duplicate, or already purchased' 'ticket.type.refund.returned' 'product returned' 'ticket.type.refund.8' 'other' 'ticket.type.refund.not.mobile' 'not compatible with mobile device' 'ticket.type.tech_support.1' 'cannot log in' 'ticket.type.tech_support.2' 'download problems' 'ticket.type.tech_support.3' 'no valid registration code received' 'ticket.type.tech_support.4' 'product does not work' 'ticket.type.tech_support.9' 'other' 'ticket.type.tech_support.10' 'product never received' 'ticket.type.tech_support.12' 'return request'
        case '9'
            printf '%s\t%s\n' 'FULL' 'all of it' 'PARTIAL_PERCENT' 'a percentage, 1 to 80' 'PARTIAL_AMOUNT' 'an amount in the currency the customer paid in'
        case '10'
            printf '%s\t%s\n' 'shipstation' ''
        case '11'
            printf '%s\t%s\n' 'STANDARD' 'sold once' 'RECURRING' 'a subscription'
        case '12'
            printf '%s\t%s\n' 'DE' 'German' 'EN' 'English' 'ES' 'Spanish' 'FR' 'French' 'IT' 'Italian' 'PT' 'Portuguese'
        case '13'
            printf '%s\t%s\n' 'EBOOK' '' 'SOFTWARE' '' 'GAMES' '' 'AUDIO' '' 'VIDEO' '' 'MEMBER_SITE' ''
        case '14'
            printf '%s\t%s\n' 'WEEKLY' '' 'BI_WEEKLY' '' 'MONTHLY' '' 'QUARTERLY' '' 'HALF_YEARLY' '' 'YEARLY' ''
        case '15'
            printf '%s\t%s\n' 'PRODUCT' 'image of a product' 'BANNER' 'banner' 'BANNER_BG' 'background of a banner'
        case '16'
            printf '%s\t%s\n' 'shipped' 'with a ship notice' 'notshipped' 'without one' 'all' 'both'
        case '17'
            printf '%s\t%s\n' '1' 'a row an item' '2' 'a row an order' '3' 'with telephone numbers; the default'
        case '18'
            printf '%s\t%s\n' 'AFFILIATE' 'you refer' 'VENDOR' 'you sell'
        case '19'
            printf '%s\t%s\n' 'CHARGEBACK_AMOUNT' '' 'CHARGEBACK_COUNT' '' 'CHARGEBACK_RATE' '' 'DIMENSION_VALUE' '' 'EARNINGS_PER_HOP' '' 'GROSS_SALE_COUNT' '' 'GROSS_SALE_AMOUNT' '' 'HOP_COUNT' '' 'HOPS_PER_SALE' '' 'HOPS_PER_ORDER_FORM_IMPRESSION' '' 'NET_SALE_AMOUNT' '' 'NET_SALE_COUNT' '' 'ORDER_FORM_SALE_CONVERSION' '' 'ORDER_IMPRESSION' '' 'ORDER_SUBMISSION' '' 'REBILL_AMOUNT' '' 'REBILL_COUNT' '' 'REFUND_AMOUNT' '' 'REFUND_COUNT' '' 'REFUND_RATE' '' 'SALE_AMOUNT' '' 'SALE_COUNT' '' 'UPSELL_AMOUNT' '' 'UPSELL_COUNT' ''
        case '20'
            printf '%s\t%s\n' 'AFFILIATE' '' 'CUSTOMER_CURRENCY' '' 'CUSTOMER_COUNTRY' '' 'CUSTOMER_PROVINCE' '' 'CUSTOMER_LANGUAGE' '' 'PRODUCT_SKU' 'role VENDOR only' 'TRACKING_ID' '' 'VENDOR' '' 'VENDOR_CATEGORY' '' 'VENDOR_PRODUCT_SKU' 'role AFFILIATE only'
        case '21'
            printf '%s\t%s\n' 'VENDOR_ONLY' 'the account only' 'AFFILIATE_ONLY' 'all but the account'
        case '22'
            printf '%s\t%s\n' 'DATE' 'business day'
        case '23'
            printf '%s\t%s\n' 'RECEIPT' '' 'PURCHASE_DATE' '' 'SUB_END_DATE' '' 'SUB_CANCEL_DATE' '' 'NEXT_PAYMENT_DATE' '' 'SUB_VALUE' '' 'STATUS' '' 'ITEM_NUMBER' '' 'PROCESSED_PAYMENTS_COUNT' '' 'FUTURE_PAYMENTS_COUNT' '' 'REFUND_COUNT' '' 'REFUND_AMOUNT' '' 'CHARGEBACK_COUNT' '' 'CHARGEBACK_AMOUNT' '' 'PUB_NICK_NAME' '' 'AFFILIATE_NICK_NAME' '' 'DURATION' '' 'INITIAL_SALE_AMOUNT' '' 'INITIAL_SALE_COUNT' '' 'REBILL_SALE_AMOUNT' '' 'REBILL_SALE_COUNT' '' 'CUSTOMER_FIRST_NAME' 'role VENDOR only' 'CUSTOMER_LAST_NAME' 'role VENDOR only' 'CUSTOMER_DISPLAY_NAME' 'role VENDOR only' 'CUSTOMER_EMAIL' 'role VENDOR only'
        case '24'
            printf '%s\t%s\n' 'ASC' 'lowest first' 'DESC' 'highest first'
        case '25'
            printf '%s\t%s\n' 'ACTIVE' '' 'COMPLETED' '' 'CANCELED' '' 'RETRY_PAYMENT' 'a payment failed and is tried again' 'REQUEST_NEW_CARD' 'the customer is asked for another card'
        case '26'
            printf '%s\t%s\n' 'GET' '' 'HEAD' '' 'POST' '' 'PUT' '' 'DELETE' ''
        case '27'
            printf '%s\t%s\n' 'pace' 'Requests a second, of all cb processes of the profile together' 'history' 'Keep receipts, ticket IDs, SKUs, image IDs and accounts for shell completion'
        case '28'
            printf '%s\t%s\n' 'bash' 'bash 3.2 or newer' 'zsh' 'zsh 5 or newer' 'fish' 'fish 3 or newer' 'powershell' 'PowerShell 5 or newer'
    end
end

# What the flag takes: __cb_takes PATH FLAG
function __cb_takes
    for set in 0 (__cb_sets $argv[1])
        for line in (__cb_set $set)
            set -l parts (string split \t -- $line)
            if test "$parts[1]" = "$argv[2]"
                echo $parts[2]
                return
            end
        end
    end
end

function __cb_flags
    for set in (__cb_sets $argv[1]) 0
        __cb_set $set | string replace -r '\t[^\t]*\t' \t
    end
end

# What may stand there: __cb_source REFERENCE WORDS
function __cb_source
    set -l kind (string split : -- $argv[1])
    set -l current (string replace -r '^--[^=]*=' '' -- (commandline -ct))
    # Several values stand behind one another with commas.
    set -l before (string match -r '^.*,' -- $current)
    switch "$kind[1]"
        case values
            __cb_values $kind[2]
        case several
            for line in (__cb_values $kind[2])
                echo "$before$line"
            end
        case ask
            set -l words $argv[2..-1]
            for line in (command $words[1] __complete $kind[2] -- $words[2..-1] 2>/dev/null </dev/null)
                echo "$before$line"
            end
        case files
            __fish_complete_path $current
    end
end

function __cb_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l path ''
    set -l count 0
    set -l takes ''
    set -l ended ''
    for word in $words[2..-1]
        if test -n "$takes"
            set takes ''
        else if test -z "$ended"; and test "$word" = --
            set ended 1
        else if test -z "$ended"; and string match -q -- '-?*' $word
            string match -q -- '*=*' $word; or set takes (__cb_takes "$path" $word)
        else if test $count -eq 0; and contains -- $word (__cb_below "$path" | string replace -r '\t.*' '')
            set path (string trim "$path $word")
        else
            set count (math $count + 1)
        end
    end
    set -l below (__cb_below "$path")
    if test -n "$takes"
        __cb_source $takes $words
    else if test -z "$ended"; and string match -qr -- '^--[^=]+=' $current
        set -l flag (string replace -r '=.*' '' -- $current)
        set -l takes (__cb_takes "$path" $flag)
        test -n "$takes"; or return
        for line in (__cb_source $takes $words)
            echo $flag=$line
        end
    else if test -z "$ended"; and string match -q -- '-*' $current
        __cb_flags "$path"
    else if test $count -eq 0; and test -n "$below[1]"
        printf '%s\n' $below
    else
        __cb_place "$path" $count $words
    end
end

# The argument at the cursor, of which the last may go on: __cb_place PATH COUNT WORDS
function __cb_place
    set -l places (__cb_places $argv[1])
    set -l at (math $argv[2] + 1)
    if test "$places[-1]" = ...
        set -e places[-1]
        test $at -gt (count $places); and set at (count $places)
    end
    test $at -le (count $places); and __cb_source $places[$at] $argv[3..-1]
end

complete -c cb -f -k -a '(__cb_complete)'

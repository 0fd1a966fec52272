#compdef cb
# Completion of cb for zsh; made by `cb completion zsh`.

_cb_command() {
  case $1 in
  '') below=$'orders\tFind sales, rebills, refunds; change subscriptions\ntickets\tRefunds, cancellations and technical support of customers\nproducts\tList, read, save and delete products\nquickstats\tSales, refunds and chargebacks per account and day\nship\tOrders to be shipped, and notices of what was\nanalytics\tFigures by dimension, subscriptions and their trends\napi\tSend any request to the service, unchecked\nlogin\tStore an API key as a profile\nlogout\tForget the key of a profile\nwhoami\tShow which service and key are used, and what the key may do\nprofiles\tList, switch and remove stored keys\ndoctor\tLook for what is wrong with the set-up, and tell what mends it\nconfig\tSettings of a profile, such as its pace\nsandbox\tThe whole service on this machine, to try, script and test\ncompletion\tLet the shell complete commands, flags, values and what was seen lately\nhelp\tHelp on a command, or on a topic such as dates, output or safety' sets='' places='' goes_on='' ;;
  'orders') below=$'list\tList transactions: sales, rebills, refunds, chargebacks\nwatch\tShow new orders as they come, until you stop it\ncount\tCount transactions, with the filters of list\nget\tShow all transactions of a receipt: the sale, its rebills, its refund\nactive\tTell whether an order or subscription is active (exit code 0) or not (9)\nupsells\tList the upsells of an order\nreinstate\tRestart a cancelled subscription, up to 60 days after its cancellation (beta)\npause\tPause a subscription until a day (beta)\nextend\tAdd rebill periods to a subscription (beta)\nchange-product\tMove a subscription to another product, up or down (beta)\nchange-address\tChange the shipping address of a physical subscription\nchange-date\tChange the next bill date of a subscription (beta)\nschema\tPrint the XML Schema of an order' sets='' places='' goes_on='' ;;
  'orders list') below='' sets='1 2' places='' goes_on='' ;;
  'orders watch') below='' sets='3 4' places='' goes_on='' ;;
  'orders count') below='' sets='5 6' places='' goes_on='' ;;
  'orders get') below='' sets='7 8' places='ask:receipt' goes_on='' ;;
  'orders active') below='' sets='7 9' places='ask:receipt' goes_on='' ;;
  'orders upsells') below='' sets='8' places='ask:receipt' goes_on='' ;;
  'orders reinstate') below='' sets='7 9 10' places='ask:receipt' goes_on='' ;;
  'orders pause') below='' sets='11 9 10' places='ask:receipt' goes_on='' ;;
  'orders extend') below='' sets='12 9 10' places='ask:receipt' goes_on='' ;;
  'orders change-product') below='' sets='13 14 9' places='ask:receipt' goes_on='' ;;
  'orders change-address') below='' sets='15 9 10' places='ask:receipt' goes_on='' ;;
  'orders change-date') below='' sets='16 9 10' places='ask:receipt' goes_on='' ;;
  'orders schema') below='' sets='6' places='' goes_on='' ;;
  'tickets') below=$'list\tSearch tickets; periods of more than 7 days are asked for in parts\ncount\tCount tickets\nget\tShow a ticket with its comments\ncreate\tOpen a ticket: refund, cancellation or technical support\nrefund-amounts\tShow what a refund would pay back\nrefund\tRefund a payment or cancel a subscription, step by step\nclose\tClose a ticket; closing an open refund cancels the refund\nreopen\tReopen a closed ticket\nchange\tChange the kind of a ticket; changed to rfnd, it is a full refund\ncomment\tAdd a comment to a ticket\nreturned\tAcknowledge that a physical item came back; its refund then completes\nschema\tPrint the XML Schema of a ticket\npartial-refund-schema\tPrint the XML Schema of refund amounts' sets='' places='' goes_on='' ;;
  'tickets list') below='' sets='17 2' places='' goes_on='' ;;
  'tickets count') below='' sets='18 6' places='' goes_on='' ;;
  'tickets get') below='' sets='6' places='ask:ticket' goes_on='' ;;
  'tickets create') below='' sets='19 20 6' places='ask:receipt' goes_on='' ;;
  'tickets refund-amounts') below='' sets='21 6' places='ask:receipt' goes_on='' ;;
  'tickets refund') below='' sets='6 22' places='ask:receipt' goes_on='' ;;
  'tickets close') below='' sets='23 6 10' places='ask:ticket' goes_on=1 ;;
  'tickets reopen') below='' sets='24 14 6' places='ask:ticket' goes_on=1 ;;
  'tickets change') below='' sets='25 14 6' places='ask:ticket' goes_on=1 ;;
  'tickets comment') below='' sets='26 6 10' places='ask:ticket' goes_on=1 ;;
  'tickets returned') below='' sets='9 10' places='ask:ticket' goes_on=1 ;;
  'tickets schema') below='' sets='6' places='' goes_on='' ;;
  'tickets partial-refund-schema') below='' sets='6' places='' goes_on='' ;;
  'products') below=$'list\tList the products of a site\nget\tShow a product\nsave\tMake a product, or change it\ndelete\tDelete a product\nschema\tPrint the XML Schema of a product\nimages\tList the images of a site, with the IDs that --image of products save takes\nimage-schema\tPrint the XML Schema of an image' sets='' places='' goes_on='' ;;
  'products list') below='' sets='27 8' places='' goes_on='' ;;
  'products get') below='' sets='28 6' places='ask:sku' goes_on='' ;;
  'products save') below='' sets='29 6 10' places='ask:sku' goes_on='' ;;
  'products delete') below='' sets='28 9 10' places='ask:sku' goes_on='' ;;
  'products schema') below='' sets='6' places='' goes_on='' ;;
  'products images') below='' sets='30 8' places='' goes_on='' ;;
  'products image-schema') below='' sets='6' places='' goes_on='' ;;
  'quickstats') below=$'list\tSales, refunds and chargebacks per account and day\ncount\tSales, refunds and chargebacks per account, summed over the period\nreport\tMake one HTML page of the period: totals, charts and tables, by day and by account\naccounts\tList the account nicknames that the key may read\nschema\tPrint the XML Schema of quickstats' sets='' places='' goes_on='' ;;
  'quickstats list') below='' sets='31 32' places='' goes_on='' ;;
  'quickstats count') below='' sets='31 32' places='' goes_on='' ;;
  'quickstats report') below='' sets='33 34' places='' goes_on='' ;;
  'quickstats accounts') below='' sets='8' places='' goes_on='' ;;
  'quickstats schema') below='' sets='6' places='' goes_on='' ;;
  'ship') below=$'list\tList physical orders that are to be shipped, or were\ncount\tCount physical orders that are to be shipped, or were\nschema\tPrint the XML Schema of a shippable order\nnotice\tTell what was shipped, and read it' sets='' places='' goes_on='' ;;
  'ship list') below='' sets='35 2' places='' goes_on='' ;;
  'ship count') below='' sets='35 6' places='' goes_on='' ;;
  'ship schema') below='' sets='36 6' places='' goes_on='' ;;
  'ship notice') below=$'add\tTell that an order was shipped; each call adds a notice\nlist\tList the ship notices of a receipt\nschema\tPrint the XML Schema of a ship notice\nimport\tCreate ship notices from a CSV file' sets='' places='' goes_on='' ;;
  'ship notice add') below='' sets='37 38 6' places='ask:receipt' goes_on='' ;;
  'ship notice list') below='' sets='36 8' places='ask:receipt' goes_on='' ;;
  'ship notice schema') below='' sets='36 6' places='' goes_on='' ;;
  'ship notice import') below='' sets='39 40 9' places='files' goes_on='' ;;
  'analytics') below=$'status\tTell whether the analytics are up to date: GREEN, YELLOW or RED\ndimension\tFigures by affiliate, country, tracking id or another dimension\nsummary\tFigures of a dimension summed up, for your account or for all others\ntrends\tSums over subscriptions, by product and by day\nsubscriptions\tList subscriptions, by what happened to them or will\nschema\tPrint an XML Schema' sets='' places='' goes_on='' ;;
  'analytics status') below='' sets='6' places='' goes_on='' ;;
  'analytics dimension') below='' sets='41 42' places='values:20' goes_on='' ;;
  'analytics summary') below='' sets='43 42' places='values:20' goes_on='' ;;
  'analytics trends') below='' sets='44 45' places='' goes_on='' ;;
  'analytics subscriptions') below=$'list\tList all subscriptions\ncompleting-30\tList subscriptions that complete in the next 30 days\ncompleting-60\tList subscriptions that complete in the next 60 days\ncanceled-30\tList subscriptions canceled in the last 30 days\ncanceled-60\tList subscriptions canceled in the last 60 days\nby-start-date\tList subscriptions that started in a period\nby-cancel-date\tList subscriptions that were canceled in a period\nby-next-payment-date\tList subscriptions whose next payment falls into a period\nby-status\tList subscriptions of a status' sets='' places='' goes_on='' ;;
  'analytics subscriptions list') below='' sets='46 8' places='' goes_on='' ;;
  'analytics subscriptions completing-30') below='' sets='46 8' places='' goes_on='' ;;
  'analytics subscriptions completing-60') below='' sets='46 8' places='' goes_on='' ;;
  'analytics subscriptions canceled-30') below='' sets='46 8' places='' goes_on='' ;;
  'analytics subscriptions canceled-60') below='' sets='46 8' places='' goes_on='' ;;
  'analytics subscriptions by-start-date') below='' sets='47 8' places='' goes_on='' ;;
  'analytics subscriptions by-cancel-date') below='' sets='47 8' places='' goes_on='' ;;
  'analytics subscriptions by-next-payment-date') below='' sets='47 8' places='' goes_on='' ;;
  'analytics subscriptions by-status') below='' sets='48 8' places='' goes_on='' ;;
  'analytics schema') below=$'AnalyticsStatus\tPrint the XML Schema of the analytics status\nAnalyticsResult\tPrint the XML Schema of figures by dimension\nSubscriptionDetailResult\tPrint the XML Schema of subscription listings\nSubscriptionDetailResultRow\tPrint the XML Schema of one subscription\nSubscriptionTrendsData\tPrint the XML Schema of subscription trends' sets='' places='' goes_on='' ;;
  'analytics schema AnalyticsStatus') below='' sets='6' places='' goes_on='' ;;
  'analytics schema AnalyticsResult') below='' sets='6' places='' goes_on='' ;;
  'analytics schema SubscriptionDetailResult') below='' sets='6' places='' goes_on='' ;;
  'analytics schema SubscriptionDetailResultRow') below='' sets='6' places='' goes_on='' ;;
  'analytics schema SubscriptionTrendsData') below='' sets='6' places='' goes_on='' ;;
  'api') below='' sets='49' places='values:26 free' goes_on='' ;;
  'login') below='' sets='50' places='' goes_on='' ;;
  'logout') below='' sets='' places='' goes_on='' ;;
  'whoami') below='' sets='9' places='' goes_on='' ;;
  'profiles') below=$'list\tList the profiles, without their keys\nuse\tUse a profile from now on; sandbox is one too\nremove\tForget a profile and its key' sets='' places='' goes_on='' ;;
  'profiles list') below='' sets='51' places='' goes_on='' ;;
  'profiles use') below='' sets='' places='ask:profiles' goes_on='' ;;
  'profiles remove') below='' sets='' places='ask:profiles' goes_on='' ;;
  'doctor') below='' sets='52 51' places='' goes_on='' ;;
  'config') below=$'list\tList all settings of a profile\nget\tPrint what holds for a setting, set or not\nset\tSet a setting of a profile\nunset\tForget what was set, so that the default holds\npath\tPrint the file that holds profiles and settings' sets='' places='' goes_on='' ;;
  'config list') below='' sets='51' places='' goes_on='' ;;
  'config get') below='' sets='9' places='values:27' goes_on='' ;;
  'config set') below='' sets='' places='values:27 free' goes_on='' ;;
  'config unset') below='' sets='' places='values:27' goes_on='' ;;
  'config path') below='' sets='9' places='' goes_on='' ;;
  'sandbox') below=$'start\tServe the sandbox to other programs until Ctrl-C\nexec\tRun a program with CB_BASE_URL and CB_API_KEY set to the sandbox\nreset\tThrow away what was changed and make up as many orders again\nseed\tFill the sandbox with another set of orders\nstatus\tShow the contents, clock, faults and keys of the sandbox\nclock\tShow the clock of the sandbox, or advance it: sales, rebills and refunds happen\nfaults\tShow the faults of the sandbox, set them, or end them' sets='' places='' goes_on='' ;;
  'sandbox start') below='' sets='53' places='' goes_on='' ;;
  'sandbox exec') below='' sets='54' places='files' goes_on=1 ;;
  'sandbox reset') below='' sets='' places='' goes_on='' ;;
  'sandbox seed') below='' sets='55' places='' goes_on='' ;;
  'sandbox status') below='' sets='9' places='' goes_on='' ;;
  'sandbox clock') below='' sets='' places='free free' goes_on='' ;;
  'sandbox faults') below='' sets='9' places='free' goes_on='' ;;
  'completion') below=$'bash\tPrint the script of bash 3.2 or newer\nzsh\tPrint the script of zsh 5 or newer\nfish\tPrint the script of fish 3 or newer\npowershell\tPrint the script of PowerShell 5 or newer\ninstall\tWrite the script where the shell looks for it\nforget\tForget the receipts, ticket IDs, SKUs, image IDs and accounts that were kept' sets='' places='' goes_on='' ;;
  'completion bash') below='' sets='' places='' goes_on='' ;;
  'completion zsh') below='' sets='' places='' goes_on='' ;;
  'completion fish') below='' sets='' places='' goes_on='' ;;
  'completion powershell') below='' sets='' places='' goes_on='' ;;
  'completion install') below='' sets='56' places='values:28' goes_on='' ;;
  'completion forget') below='' sets='' places='' goes_on='' ;;
  'help') below=$'orders\tFind sales, rebills, refunds; change subscriptions\ntickets\tRefunds, cancellations and technical support of customers\nproducts\tList, read, save and delete products\nquickstats\tSales, refunds and chargebacks per account and day\nship\tOrders to be shipped, and notices of what was\nanalytics\tFigures by dimension, subscriptions and their trends\napi\tSend any request to the service, unchecked\nlogin\tStore an API key as a profile\nlogout\tForget the key of a profile\nwhoami\tShow which service and key are used, and what the key may do\nprofiles\tList, switch and remove stored keys\ndoctor\tLook for what is wrong with the set-up, and tell what mends it\nconfig\tSettings of a profile, such as its pace\nsandbox\tThe whole service on this machine, to try, script and test\ncompletion\tLet the shell complete commands, flags, values and what was seen lately\ndates\ta topic\noutput\ta topic\nexit-codes\ta topic\nenvironment\ta topic\ncredentials\ta topic\nsafety\ta topic' sets='' places='' goes_on=1 ;;
  'help orders') below=$'list\tList transactions: sales, rebills, refunds, chargebacks\nwatch\tShow new orders as they come, until you stop it\ncount\tCount transactions, with the filters of list\nget\tShow all transactions of a receipt: the sale, its rebills, its refund\nactive\tTell whether an order or subscription is active (exit code 0) or not (9)\nupsells\tList the upsells of an order\nreinstate\tRestart a cancelled subscription, up to 60 days after its cancellation (beta)\npause\tPause a subscription until a day (beta)\nextend\tAdd rebill periods to a subscription (beta)\nchange-product\tMove a subscription to another product, up or down (beta)\nchange-address\tChange the shipping address of a physical subscription\nchange-date\tChange the next bill date of a subscription (beta)\nschema\tPrint the XML Schema of an order' sets='' places='' goes_on='' ;;
  'help tickets') below=$'list\tSearch tickets; periods of more than 7 days are asked for in parts\ncount\tCount tickets\nget\tShow a ticket with its comments\ncreate\tOpen a ticket: refund, cancellation or technical support\nrefund-amounts\tShow what a refund would pay back\nrefund\tRefund a payment or cancel a subscription, step by step\nclose\tClose a ticket; closing an open refund cancels the refund\nreopen\tReopen a closed ticket\nchange\tChange the kind of a ticket; changed to rfnd, it is a full refund\ncomment\tAdd a comment to a ticket\nreturned\tAcknowledge that a physical item came back; its refund then completes\nschema\tPrint the XML Schema of a ticket\npartial-refund-schema\tPrint the XML Schema of refund amounts' sets='' places='' goes_on='' ;;
  'help products') below=$'list\tList the products of a site\nget\tShow a product\nsave\tMake a product, or change it\ndelete\tDelete a product\nschema\tPrint the XML Schema of a product\nimages\tList the images of a site, with the IDs that --image of products save takes\nimage-schema\tPrint the XML Schema of an image' sets='' places='' goes_on='' ;;
  'help quickstats') below=$'list\tSales, refunds and chargebacks per account and day\ncount\tSales, refunds and chargebacks per account, summed over the period\nreport\tMake one HTML page of the period: totals, charts and tables, by day and by account\naccounts\tList the account nicknames that the key may read\nschema\tPrint the XML Schema of quickstats' sets='' places='' goes_on='' ;;
  'help ship') below=$'list\tList physical orders that are to be shipped, or were\ncount\tCount physical orders that are to be shipped, or were\nschema\tPrint the XML Schema of a shippable order\nnotice\tTell what was shipped, and read it' sets='' places='' goes_on='' ;;
  'help ship notice') below=$'add\tTell that an order was shipped; each call adds a notice\nlist\tList the ship notices of a receipt\nschema\tPrint the XML Schema of a ship notice\nimport\tCreate ship notices from a CSV file' sets='' places='' goes_on='' ;;
  'help analytics') below=$'status\tTell whether the analytics are up to date: GREEN, YELLOW or RED\ndimension\tFigures by affiliate, country, tracking id or another dimension\nsummary\tFigures of a dimension summed up, for your account or for all others\ntrends\tSums over subscriptions, by product and by day\nsubscriptions\tList subscriptions, by what happened to them or will\nschema\tPrint an XML Schema' sets='' places='' goes_on='' ;;
  'help analytics subscriptions') below=$'list\tList all subscriptions\ncompleting-30\tList subscriptions that complete in the next 30 days\ncompleting-60\tList subscriptions that complete in the next 60 days\ncanceled-30\tList subscriptions canceled in the last 30 days\ncanceled-60\tList subscriptions canceled in the last 60 days\nby-start-date\tList subscriptions that started in a period\nby-cancel-date\tList subscriptions that were canceled in a period\nby-next-payment-date\tList subscriptions whose next payment falls into a period\nby-status\tList subscriptions of a status' sets='' places='' goes_on='' ;;
  'help analytics schema') below=$'AnalyticsStatus\tPrint the XML Schema of the analytics status\nAnalyticsResult\tPrint the XML Schema of figures by dimension\nSubscriptionDetailResult\tPrint the XML Schema of subscription listings\nSubscriptionDetailResultRow\tPrint the XML Schema of one subscription\nSubscriptionTrendsData\tPrint the XML Schema of subscription trends' sets='' places='' goes_on='' ;;
  'help profiles') below=$'list\tList the profiles, without their keys\nuse\tUse a profile from now on; sandbox is one too\nremove\tForget a profile and its key' sets='' places='' goes_on='' ;;
  'help config') below=$'list\tList all settings of a profile\nget\tPrint what holds for a setting, set or not\nset\tSet a setting of a profile\nunset\tForget what was set, so that the default holds\npath\tPrint the file that holds profiles and settings' sets='' places='' goes_on='' ;;
  'help sandbox') below=$'start\tServe the sandbox to other programs until Ctrl-C\nexec\tRun a program with CB_BASE_URL and CB_API_KEY set to the sandbox\nreset\tThrow away what was changed and make up as many orders again\nseed\tFill the sandbox with another set of orders\nstatus\tShow the contents, clock, faults and keys of the sandbox\nclock\tShow the clock of the sandbox, or advance it: sales, rebills and refunds happen\nfaults\tShow the faults of the sandbox, set them, or end them' sets='' places='' goes_on='' ;;
  'help completion') below=$'bash\tPrint the script of bash 3.2 or newer\nzsh\tPrint the script of zsh 5 or newer\nfish\tPrint the script of fish 3 or newer\npowershell\tPrint the script of PowerShell 5 or newer\ninstall\tWrite the script where the shell looks for it\nforget\tForget the receipts, ticket IDs, SKUs, image IDs and accounts that were kept' sets='' places='' goes_on='' ;;
  *) return 1 ;;
  esac
}

_cb_set() {
  case $1 in
  '0') lines=$'-V\t\tShow the version\n--version\t\tShow the version\n-o\tvalues:0\ttable, json, ndjson, csv, tsv or xml\n--output\tvalues:0\ttable, json, ndjson, csv, tsv or xml\n--sandbox\t\tUse the built-in sandbox instead of the live service\n--profile\task:profiles\tUse this profile; sandbox, or sandbox:read-only, is built in\n--all-profiles\t\tRead from every profile; --profile a,b reads from several\n--no-input\t\tNever ask anything\n--no-color\t\tNo colour\n--tz\tfree\tCount days in this zone (default: Pacific, as the service does)\n--timeout\tfree\tThe longest that one request may take (default: 60)\n--max-wait\tfree\tThe longest to wait for another try, in all (default: 60)\n--wire\tvalues:1\tAsk the service for json (default) or xml\n--debug\t\tShow each request on stderr, and where a fault is\n-h\t\tShow this help\n--help\t\tShow this help' ;;
  '1') lines=$'--start-date\tvalues:2\tFirst day of the search\n--end-date\tvalues:2\tLast day of the search\n--type\tvalues:3\tKind of transaction\n--vendor\task:account\tVendor nickname\n--affiliate\tfree\tAffiliate nickname, or \'none\' for orders without one\n--last-name\tfree\tLast name of the customer\n--item\task:sku\tItem number in the order\n--email\tfree\tE-mail address of the customer\n--tid\tfree\tTracking id or promo code, of vendor or affiliate\n--postal-code\tfree\tPostal code of the customer\n--role\tvalues:4\tRole of your account in the transaction\n--amount\tfree\tTotal amount of the transaction\n--period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' ;;
  '2') lines=$'--fields\tfree\tOnly these columns, as in receipt,lineItemData.itemNo\n--query\tfree\tA JMESPath expression over the whole list\n--expand\tfree\tA row for each element of this list, as in lineItemData\n--limit\tfree\tAt most so many rows\n--out\tfiles\tWrite to a file, whole or not at all; its ending picks the format\n--raw\t\tPrint the answer as received\n--bom\t\tcsv: begin with a byte order mark, for Excel\n--crlf\t\tcsv: end lines with CR LF\n--delimiter\tfree\tcsv: instead of the comma\n--text-ids\t\tcsv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed\n--spread\tfree\tcsv, tsv: columns for the first n elements (default: 3)\n--no-header\t\tcsv, tsv: without the line of column names, as for >>\n--page\tfree\tOnly this page of the service, of 100 rows\n--concurrency\tfree\tPages under way at once (default: 10)\n--max-pages\tfree\tMaximum number of pages of one period (default: 10000)\n--resume\t\tContinue an export that was stopped; requires --out\n--since-last\tfree\tOnly rows that earlier runs of this name did not return\n--append\tfiles\tAdd the rows of --since-last to a file, each exactly once' ;;
  '3') lines=$'--type\tfree\tKind of transaction: SALE (sale), RFND (refund), CGBK (chargeback), FEE (fee), BILL (rebill), TEST_SALE (test sale), TEST_BILL (test rebill), TEST_RFND (test refund), TEST_FEE (test fee) (default: all kinds)\n--vendor\tfree\tVendor nickname; % matches any text\n--affiliate\tfree\tAffiliate nickname, or \'none\' for orders without one; % matches any text\n--last-name\tfree\tLast name of the customer; % matches any text\n--item\tfree\tItem number in the order\n--email\tfree\tE-mail address of the customer; % matches any text\n--tid\tfree\tTracking id or promo code, of vendor or affiliate\n--postal-code\tfree\tPostal code of the customer; % matches any text\n--role\tfree\tRole of your account in the transaction: VENDOR (you sold it), AFFILIATE (you referred it)\n--amount\tfree\tTotal amount of the transaction\n--every\tfree\tSeconds between two looks (default: 30)\n--today\t\tFirst those of today so far' ;;
  '4') lines=$'--fields\tfree\tOnly these columns, as in receipt,lineItemData.itemNo\n--expand\tfree\tA row for each element of this list, as in lineItemData\n--limit\tfree\tAt most so many rows\n--bom\t\tcsv: begin with a byte order mark, for Excel\n--crlf\t\tcsv: end lines with CR LF\n--delimiter\tfree\tcsv: instead of the comma\n--text-ids\t\tcsv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed\n--spread\tfree\tcsv, tsv: columns for the first n elements (default: 3)\n--no-header\t\tcsv, tsv: without the line of column names, as for >>' ;;
  '5') lines=$'--start-date\tvalues:2\tFirst day of the search\n--end-date\tvalues:2\tLast day of the search\n--type\tvalues:3\tKind of transaction\n--vendor\task:account\tVendor nickname\n--affiliate\tfree\tAffiliate nickname, or \'none\' for orders without one\n--last-name\tfree\tLast name of the customer\n--item\task:sku\tItem number in the order\n--email\tfree\tE-mail address of the customer\n--tid\tfree\tTracking id or promo code, of vendor or affiliate\n--postal-code\tfree\tPostal code of the customer\n--role\tvalues:4\tRole of your account in the transaction\n--period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' ;;
  '6') lines=$'--out\tfiles\tWrite to a file, whole or not at all; its ending picks the format\n--raw\t\tPrint the answer as received' ;;
  '7') lines=$'--sku\task:sku\tItem number of the line item, when the order has several' ;;
  '8') lines=$'--fields\tfree\tOnly these columns, as in receipt,lineItemData.itemNo\n--query\tfree\tA JMESPath expression over the whole list\n--expand\tfree\tA row for each element of this list, as in lineItemData\n--limit\tfree\tAt most so many rows\n--out\tfiles\tWrite to a file, whole or not at all; its ending picks the format\n--raw\t\tPrint the answer as received\n--bom\t\tcsv: begin with a byte order mark, for Excel\n--crlf\t\tcsv: end lines with CR LF\n--delimiter\tfree\tcsv: instead of the comma\n--text-ids\t\tcsv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed\n--spread\tfree\tcsv, tsv: columns for the first n elements (default: 3)\n--no-header\t\tcsv, tsv: without the line of column names, as for >>' ;;
  '9') lines=$'--out\tfiles\tWrite to a file, whole or not at all; its ending picks the format' ;;
  '10') lines=$'-y\t\tSend the request without asking for confirmation\n--yes\t\tSend the request without asking for confirmation\n--dry-run\t\tRead and check everything, print the request, and send nothing\n--verify-wait\tfree\tLongest time to look for a write whose answer was lost, as in 30s (default: 10s)' ;;
  '11') lines=$'--restart-date\tvalues:2\tDay on which it resumes: not before the next payment, at most 60 days ahead\n--sku\task:sku\tItem number of the line item, when the order has several' ;;
  '12') lines=$'--num-periods\tfree\tNumber of rebill periods to add\n--sku\task:sku\tItem number of the line item, when the order has several' ;;
  '13') lines=$'--old-sku\task:sku\tSKU of the current product\n--new-sku\task:sku\tSKU of the new product, in the same currency\n--carry-affiliate\t\tCarry the original affiliate over to the new subscription\n--no-carry-affiliate\t\tCarry the original affiliate over to the new subscription\n--apply-prorated-refund\t\tRefund the unused part of the period\n--no-apply-prorated-refund\t\tRefund the unused part of the period\n--next-rebill-date\tvalues:2\tDay of the next rebill' ;;
  '14') lines=$'--allow-refund\t\tAllow this command to refund a sale when no person confirms it\n-y\t\tSend the request without asking for confirmation\n--yes\t\tSend the request without asking for confirmation\n--dry-run\t\tRead and check everything, print the request, and send nothing\n--verify-wait\tfree\tLongest time to look for a write whose answer was lost, as in 30s (default: 10s)' ;;
  '15') lines=$'--first-name\tfree\tFirst name of the customer\n--last-name\tfree\tLast name of the customer\n--address1\tfree\tFirst line of the address\n--address2\tfree\tSecond line of the address\n--city\tfree\tCity\n--county\tfree\tCounty\n--province\tfree\tState or province\n--country-code\tfree\tCountry code, as in US\n--postal-code\tfree\tPostal code' ;;
  '16') lines=$'--change-date\tvalues:2\tDay of the next payment\n--sku\task:sku\tItem number of the line item, when the order has several' ;;
  '17') lines=$'--type\tvalues:6\tKind of ticket\n--status\tvalues:7\tStatus of the ticket\n--receipt\task:receipt\tReceipt, with the tickets of its rebills\n--create-date-from\tvalues:2\tFirst day on which it was opened\n--create-date-to\tvalues:2\tLast day on which it was opened\n--update-date-from\tvalues:2\tFirst day on which it was updated\n--update-date-to\tvalues:2\tLast day on which it was updated\n--close-date-from\tvalues:2\tFirst day on which it was closed\n--close-date-to\tvalues:2\tLast day on which it was closed\n--create-period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026\n--update-period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026\n--close-period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' ;;
  '18') lines=$'--type\tvalues:6\tKind of ticket\n--status\tvalues:7\tStatus of the ticket\n--receipt\task:receipt\tReceipt, with the tickets of its rebills' ;;
  '19') lines=$'--type\tvalues:6\tKind of ticket\n--reason\tvalues:8\tWhy, matching the kind of ticket\n--refund-type\tvalues:9\tHow much to refund\n--refund-amount\tfree\tPercent (1 to 80) or amount to refund\n--sku\task:sku\tItem number of the line item, when the order has several\n--comment\tfree\tComment on the ticket\n--retain-subscription\t\tKeep the subscription after the refund\n--no-retain-subscription\t\tKeep the subscription after the refund\n--from\tfiles\tCreate a ticket for each row of this CSV file, none twice; - reads stdin and needs --journal\n--map\tfree\tColumns by parameter, as in \'Order - Number=receipt,Code=tracking\'\n--preset\tvalues:10\tColumns of a shipping tool: shipstation\n--delimiter\tfree\tCell delimiter (default: detected in the header)\n--skip-invalid\t\tSkip invalid rows and send the others\n--retry-unknown\t\tSend rows of unknown outcome again, after looking for them once more\n--journal\tfiles\tJournal file (default: FILE.cb-journal)\n--restart\t\tSet the old journal aside and start again\n--results\tfiles\tResult file, one line per row (default: FILE.results.csv)\n--concurrency\tfree\tNumber of receipts to send at the same time (default: 4)' ;;
  '20') lines=$'--allow-duplicate\t\tSend the request even if an equal ticket or ship notice exists\n--allow-refund\t\tAllow this command to refund a sale when no person confirms it\n-y\t\tSend the request without asking for confirmation\n--yes\t\tSend the request without asking for confirmation\n--dry-run\t\tRead and check everything, print the request, and send nothing\n--verify-wait\tfree\tLongest time to look for a write whose answer was lost, as in 30s (default: 10s)' ;;
  '21') lines=$'--sku\task:sku\tItem number of the line item, when the order has several\n--refund-type\tvalues:9\tHow much to refund\n--refund-amount\tfree\tPercent (1 to 80) or amount to refund' ;;
  '22') lines=$'--allow-duplicate\t\tSend the request even if an equal ticket or ship notice exists\n--dry-run\t\tAsk and check everything, print the request, and send nothing\n--verify-wait\tfree\tLongest time to look for a write whose answer was lost, as in 30s (default: 10s)' ;;
  '23') lines=$'--comment\tfree\tComment on the ticket' ;;
  '24') lines=$'--comment\tfree\tWhy it is reopened' ;;
  '25') lines=$'--type\tvalues:6\tKind of ticket\n--comment\tfree\tComment on the ticket' ;;
  '26') lines=$'--comment\tfree\tWhat to say' ;;
  '27') lines=$'--site\task:account\tNickname of the account that owns the product\n--type\tvalues:11\tKind of product' ;;
  '28') lines=$'--site\task:account\tNickname of the account that owns the product' ;;
  '29') lines=$'--site\task:account\tNickname of the account that owns the product\n--currency\tfree\tCurrency it is sold in, as in USD\n--price\tfree\tPrice; of a recurring product the initial one\n--language\tvalues:12\tLanguage\n--title\tfree\tTitle\n--digital\t\tIt has a digital component\n--no-digital\t\tIt has a digital component\n--physical\t\tIt has a physical component\n--no-physical\t\tIt has a physical component\n--digital-recurring\t\tIt has a digital recurring component\n--no-digital-recurring\t\tIt has a digital recurring component\n--physical-recurring\t\tIt has a physical recurring component\n--no-physical-recurring\t\tIt has a physical recurring component\n--categories\tseveral:13\tCategory; needed for a digital product, refused for others\n--skip-confirmation-page\t\tSkip the confirmation page, where the key may\n--no-skip-confirmation-page\t\tSkip the confirmation page, where the key may\n--thank-you-page\tfree\tThank-you page; this or the mobile one is needed\n--mobile-thank-you-page\tfree\tThank-you page for mobile devices\n--rebill-price\tfree\tPrice of a rebill; needed for a recurring product\n--rebill-commission\tfree\tCommission on a rebill, in percent\n--trial-period\tfree\tDays of trial: 0, or 3 to 31; needed for a recurring product\n--frequency\tvalues:14\tHow often it is billed; needed for a recurring product\n--duration\tfree\tNumber of rebills; 999 is endless; needed for a recurring product\n--shipping-profile\tfree\tName of the shipping profile of a physical product\n--purchase-commission\tfree\tCommission on a sale, in percent\n--description\tfree\tDescription; needed for a physical product\n--image\task:image\tID of the image, as `cb products images` lists it\n--pitch-page\tfree\tPitch page; this or the mobile one is needed\n--mobile-pitch-page\tfree\tPitch page for mobile devices\n--sale-refund-days-limit\tfree\tDays within which a sale can be refunded\n--rebill-refund-days-limit\tfree\tDays within which a rebill can be refunded\n--delivery-method\tfree\tDelivery method\n--delivery-speed\tfree\tDelivery speed\n--pre-rebill-notification-override\t\tAnnounce rebills also when they need no notice\n--no-pre-rebill-notification-override\t\tAnnounce rebills also when they need no notice\n--pre-rebill-notification-lead-time\tfree\tDays before a rebill at which it is announced\n--from\tfiles\tTake what is not typed from a product as `products get -o json` prints it; - is stdin' ;;
  '30') lines=$'--site\task:account\tNickname of the account that owns the images\n--type\tvalues:15\tKind of image\n--approved-only\t\tOnly approved images\n--no-approved-only\t\tOnly approved images' ;;
  '31') lines=$'--start-date\tvalues:2\tFirst day\n--end-date\tvalues:2\tLast day\n--account\task:account\tAccount nickname\n--period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' ;;
  '32') lines=$'--fields\tfree\tOnly these columns, as in receipt,lineItemData.itemNo\n--query\tfree\tA JMESPath expression over the whole list\n--expand\tfree\tA row for each element of this list, as in lineItemData\n--limit\tfree\tAt most so many rows\n--out\tfiles\tWrite to a file, whole or not at all; its ending picks the format\n--raw\t\tPrint the answer as received\n--bom\t\tcsv: begin with a byte order mark, for Excel\n--crlf\t\tcsv: end lines with CR LF\n--delimiter\tfree\tcsv: instead of the comma\n--text-ids\t\tcsv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed\n--spread\tfree\tcsv, tsv: columns for the first n elements (default: 3)\n--no-header\t\tcsv, tsv: without the line of column names, as for >>\n--totals\t\tAdd the row over all others in every format\n--chart\t\tDraw a chart in place of a table, of this figure (default: sale, refund, chargeback)' ;;
  '33') lines=$'--start-date\tvalues:2\tFirst day (default: 45 days ago)\n--end-date\tvalues:2\tLast day (default: today)\n--account\tfree\tAccount nickname (default: all accounts of the key)\n--period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' ;;
  '34') lines=$'--out\tfiles\tThe page, written whole or not at all; - is stdout' ;;
  '35') lines=$'--status\tvalues:16\tWhich orders\n--days\tfree\tOrders of so many last days; dates go before\n--start-date\tvalues:2\tFirst day\n--end-date\tvalues:2\tLast day\n--receipt\task:receipt\tReceipt; the other filters are then ignored\n--period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026\n--generation\tvalues:17\tGeneration of the service: 1, 2, 3 (default: 3)' ;;
  '36') lines=$'--generation\tvalues:17\tGeneration of the service: 1, 2, 3 (default: 3)' ;;
  '37') lines=$'--date\tvalues:2\tDay of shipping: not before the purchase, not in the future\n--carrier\tfree\tCarrier, as in USPS\n--tracking\tfree\tTracking id\n--comments\tfree\tComments on the notice\n--item\task:sku\tItem number, needed when the order has several physical items\n--fill-order\t\tMark the whole order as shipped: create the other notices too\n--no-fill-order\t\tMark the whole order as shipped: create the other notices too\n--generation\tvalues:17\tGeneration of the service: 1, 2, 3 (default: 3)' ;;
  '38') lines=$'--allow-duplicate\t\tSend the request even if an equal ticket or ship notice exists\n-y\t\tSend the request without asking for confirmation\n--yes\t\tSend the request without asking for confirmation\n--dry-run\t\tRead and check everything, print the request, and send nothing\n--verify-wait\tfree\tLongest time to look for a write whose answer was lost, as in 30s (default: 10s)' ;;
  '39') lines=$'--date\tvalues:2\tDay of shipping: not before the purchase, not in the future (required)\n--carrier\tfree\tCarrier, as in USPS (required)\n--tracking\tfree\tTracking id\n--comments\tfree\tComments on the notice\n--item\tfree\tItem number, needed when the order has several physical items\n--fill-order\t\tMark the whole order as shipped: create the other notices too\n--no-fill-order\t\tDo not mark the whole order as shipped\n--map\tfree\tColumns by parameter, as in \'Order - Number=receipt,Code=tracking\'\n--preset\tvalues:10\tColumns of a shipping tool: shipstation\n--delimiter\tfree\tCell delimiter (default: detected in the header)\n--skip-invalid\t\tSkip invalid rows and send the others\n--retry-unknown\t\tSend rows of unknown outcome again, after looking for them once more\n--journal\tfiles\tJournal file (default: FILE.cb-journal)\n--restart\t\tSet the old journal aside and start again\n--results\tfiles\tResult file, one line per row (default: FILE.results.csv)\n--concurrency\tfree\tNumber of receipts to send at the same time (default: 4)' ;;
  '40') lines=$'--allow-duplicate\t\tSend the request even if an equal ticket or ship notice exists\n--verify-wait\tfree\tLongest time to look for a write whose answer was lost, as in 30s (default: 10s)\n-y\t\tSend the requests without asking for confirmation\n--yes\t\tSend the requests without asking for confirmation\n--dry-run\t\tRead and check everything, print the requests, and send nothing' ;;
  '41') lines=$'--role\tvalues:18\tYour role\n--account\task:account\tAccount nickname\n--start-date\tvalues:2\tFirst day\n--end-date\tvalues:2\tLast day\n--dimension-filter\tfree\tOnly rows whose dimension has this id; upper and lower case count\n--select\tseveral:19\tFigures to show; several, or separated by commas\n--order-by\tvalues:19\tFigure to order by\n--sort-ascending\t\tLowest first\n--no-sort-ascending\t\tLowest first\n--period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' ;;
  '42') lines=$'--fields\tfree\tOnly these columns, as in receipt,lineItemData.itemNo\n--query\tfree\tA JMESPath expression over the whole list\n--expand\tfree\tA row for each element of this list, as in lineItemData\n--limit\tfree\tAt most so many rows\n--out\tfiles\tWrite to a file, whole or not at all; its ending picks the format\n--raw\t\tPrint the answer as received\n--bom\t\tcsv: begin with a byte order mark, for Excel\n--crlf\t\tcsv: end lines with CR LF\n--delimiter\tfree\tcsv: instead of the comma\n--text-ids\t\tcsv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed\n--spread\tfree\tcsv, tsv: columns for the first n elements (default: 3)\n--no-header\t\tcsv, tsv: without the line of column names, as for >>\n--totals\t\tAdd the row over all others in every format\n--page\tfree\tOnly this page of the service, of 100 rows\n--concurrency\tfree\tPages under way at once (default: 10)\n--max-pages\tfree\tMaximum number of pages of one period (default: 10000)\n--resume\t\tContinue an export that was stopped; requires --out\n--chart\t\tDraw a chart in place of a table, of this figure (default: SALE_AMOUNT)' ;;
  '43') lines=$'--role\tvalues:18\tYour role\n--account\task:account\tAccount nickname\n--start-date\tvalues:2\tFirst day\n--end-date\tvalues:2\tLast day\n--dimension-filter\tfree\tOnly rows whose dimension has this id; upper and lower case count\n--select\tseveral:19\tFigures to show; several, or separated by commas\n--order-by\tvalues:19\tFigure to order by\n--sort-ascending\t\tLowest first\n--no-sort-ascending\t\tLowest first\n--summary-type\tvalues:21\tWhose figures\n--period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' ;;
  '44') lines=$'--role\tvalues:18\tYour role\n--account\task:account\tAccount nickname\n--group-by\tvalues:22\tSum up by\n--product-id\tfree\tProduct id; several, or separated by commas\n--start-date\tvalues:2\tFirst day\n--end-date\tvalues:2\tLast day\n--period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' ;;
  '45') lines=$'--fields\tfree\tOnly these columns, as in receipt,lineItemData.itemNo\n--query\tfree\tA JMESPath expression over the whole list\n--expand\tfree\tA row for each element of this list, as in lineItemData\n--limit\tfree\tAt most so many rows\n--out\tfiles\tWrite to a file, whole or not at all; its ending picks the format\n--raw\t\tPrint the answer as received\n--bom\t\tcsv: begin with a byte order mark, for Excel\n--crlf\t\tcsv: end lines with CR LF\n--delimiter\tfree\tcsv: instead of the comma\n--text-ids\t\tcsv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed\n--spread\tfree\tcsv, tsv: columns for the first n elements (default: 3)\n--no-header\t\tcsv, tsv: without the line of column names, as for >>\n--page\tfree\tOnly this page of the service, of 100 rows\n--concurrency\tfree\tPages under way at once (default: 10)\n--max-pages\tfree\tMaximum number of pages of one period (default: 10000)\n--resume\t\tContinue an export that was stopped; requires --out\n--chart\t\tDraw a chart in place of a table, of this figure (default: netSales)' ;;
  '46') lines=$'--role\tvalues:18\tYour role\n--account\task:account\tAccount nickname\n--order-by\tvalues:23\tField to sort by\n--sort-direction\tvalues:24\tDirection of the sort' ;;
  '47') lines=$'--role\tvalues:18\tYour role\n--account\task:account\tAccount nickname\n--order-by\tvalues:23\tField to sort by\n--sort-direction\tvalues:24\tDirection of the sort\n--start-date\tvalues:2\tFirst day\n--end-date\tvalues:2\tLast day\n--period\tvalues:5\tSet both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026' ;;
  '48') lines=$'--role\tvalues:18\tYour role\n--account\task:account\tAccount nickname\n--order-by\tvalues:23\tField to sort by\n--sort-direction\tvalues:24\tDirection of the sort\n--status\tvalues:25\tStatus of the subscription' ;;
  '49') lines=$'-f\tfree\tA query parameter; several times\n--field\tfree\tA query parameter; several times\n--page\tfree\tSend this number in the header Page\n--paginate\t\tFollow 206 to the last page, body after body\n-i\t\tPrint the status and the headers too\n--include\t\tPrint the status and the headers too\n-y\t\tSend a changing request without asking for confirmation\n--yes\t\tSend a changing request without asking for confirmation\n--dry-run\t\tPrint the request and send nothing' ;;
  '50') lines=$'--with-key\t\tRead the key from stdin instead of asking for it\n--base-url\tfree\tThe service that the key belongs to (default: the live one)\n--keychain\t\tStore the key in the keychain of the system, not in the file\n--no-check\t\tStore the key without asking the service about it' ;;
  '51') lines=$'--fields\tfree\tOnly these columns, as in receipt,lineItemData.itemNo\n--query\tfree\tA JMESPath expression over the whole list\n--expand\tfree\tA row for each element of this list, as in lineItemData\n--limit\tfree\tAt most so many rows\n--out\tfiles\tWrite to a file, whole or not at all; its ending picks the format\n--bom\t\tcsv: begin with a byte order mark, for Excel\n--crlf\t\tcsv: end lines with CR LF\n--delimiter\tfree\tcsv: instead of the comma\n--text-ids\t\tcsv: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed\n--spread\tfree\tcsv, tsv: columns for the first n elements (default: 3)\n--no-header\t\tcsv, tsv: without the line of column names, as for >>' ;;
  '52') lines=$'--online\t\tAlso ask the service about each key; on a terminal cb asks\n--no-online\t\tLook at this machine only, and ask nothing' ;;
  '53') lines=$'--port\tfree\tThe port on 127.0.0.1 (default: any free one)\n--key\tfree\tPrint this key (default: full)\n--faults\tfree\tFaults of this server alone (see cb sandbox faults --help)' ;;
  '54') lines=$'--key\tfree\tUse this key (default: full)' ;;
  '55') lines=$'--orders\tfree\tSo many transactions, up to 1000000 (default: 5000)\n--random-seed\tfree\tThe same number makes the same orders (default: 1)' ;;
  '56') lines=$'-y\t\tpowershell: add the line to the profile, too\n--yes\t\tpowershell: add the line to the profile, too' ;;
  *) return 1 ;;
  esac
}

_cb_values() {
  case $1 in
  '0') lines=$'table\tfor people; the default on a terminal\njson\tone valid document\nndjson\ta JSON object a line\ncsv\tfor spreadsheets\ntsv\ttab-separated; the default in a pipe\nxml\twhat the service sent' ;;
  '1') lines=$'json\tthe default\nxml\t' ;;
  '2') lines=$'today\tPacific, as the service counts\nyesterday\t\ntomorrow\t\nmonday\tthe latest; any weekday\n-7d\tso many days ago; also w, m, y\n+30d\tin so many days' ;;
  '3') lines=$'SALE\tsale\nRFND\trefund\nCGBK\tchargeback\nFEE\tfee\nBILL\trebill\nTEST_SALE\ttest sale\nTEST_BILL\ttest rebill\nTEST_RFND\ttest refund\nTEST_FEE\ttest fee' ;;
  '4') lines=$'VENDOR\tyou sold it\nAFFILIATE\tyou referred it' ;;
  '5') lines=$'today\t\nyesterday\t\nlast-7-days\tany number of days, weeks, months\nlast-30-days\t\nthis-week\t\nlast-week\t\nthis-month\t\nlast-month\t\nlast-3-months\t\nthis-quarter\t\nlast-quarter\t\nthis-year\t\nlast-year\t' ;;
  '6') lines=$'rfnd\trefund; on a subscription it also ends future billing\ncncl\tcancellation; on a one-time sale it refunds the sale\ntech\ttechnical support' ;;
  '7') lines=$'open\twaiting\nreopened\tclosed once, waiting again\nclosed\tdone' ;;
  '8') lines=$'ticket.type.cancel.1\tno additional value for recurring payments\nticket.type.cancel.2\tnot satisfied, or did not meet expectations\nticket.type.cancel.3\tno vendor support\nticket.type.cancel.4\tnot compatible with computer\nticket.type.cancel.5\tcannot afford continuing payments\nticket.type.cancel.6\tdid not realize terms for continuing payments were accepted\nticket.type.cancel.7\tother\nticket.type.cancel.not.mobile\tnot compatible with mobile device\nticket.type.refund.1\tproduct never received\nticket.type.refund.2\tnot satisfied, or did not meet expectations\nticket.type.refund.3\tnot compatible with computer\nticket.type.refund.4\tno technical support\nticket.type.refund.5\tpurchase not authorized\nticket.type.refund.6\tpurchase not recognized\nticket.type.refund.7\tduplicate, or already purchased\nticket.type.refund.returned\tproduct returned\nticket.type.refund.8\tother\nticket.type.refund.not.mobile\tnot compatible with mobile device\nticket.type.tech_support.1\tcannot log in\nticket.type.tech_support.2\tdownload problems\nticket.type.tech_support.3\tno valid registration code received\nticket.type.tech_support.4\tproduct does not work\nticket.type.tech_support.9\tother\nticket.type.tech_support.10\tproduct never received\nticket.type.tech_support.12\treturn request' ;;
  '9') lines=$'FULL\tall of it\nPARTIAL_PERCENT\ta percentage, 1 to 80\nPARTIAL_AMOUNT\tan amount in the currency the customer paid in' ;;
  '10') lines=$'shipstation\t' ;;
  '11') lines=$'STANDARD\tsold once\nRECURRING\ta subscription' ;;
  '12') lines=$'DE\tGerman\nEN\tEnglish\nES\tSpanish\nFR\tFrench\nIT\tItalian\nPT\tPortuguese' ;;
  '13') lines=$'EBOOK\t\nSOFTWARE\t\nGAMES\t\nAUDIO\t\nVIDEO\t\nMEMBER_SITE\t' ;;
  '14') lines=$'WEEKLY\t\nBI_WEEKLY\t\nMONTHLY\t\nQUARTERLY\t\nHALF_YEARLY\t\nYEARLY\t' ;;
  '15') lines=$'PRODUCT\timage of a product\nBANNER\tbanner\nBANNER_BG\tbackground of a banner' ;;
  '16') lines=$'shipped\twith a ship notice\nnotshipped\twithout one\nall\tboth' ;;
  '17') lines=$'1\ta row an item\n2\ta row an order\n3\twith telephone numbers; the default' ;;
  '18') lines=$'AFFILIATE\tyou refer\nVENDOR\tyou sell' ;;
  '19') lines=$'CHARGEBACK_AMOUNT\t\nCHARGEBACK_COUNT\t\nCHARGEBACK_RATE\t\nDIMENSION_VALUE\t\nEARNINGS_PER_HOP\t\nGROSS_SALE_COUNT\t\nGROSS_SALE_AMOUNT\t\nHOP_COUNT\t\nHOPS_PER_SALE\t\nHOPS_PER_ORDER_FORM_IMPRESSION\t\nNET_SALE_AMOUNT\t\nNET_SALE_COUNT\t\nORDER_FORM_SALE_CONVERSION\t\nORDER_IMPRESSION\t\nORDER_SUBMISSION\t\nREBILL_AMOUNT\t\nREBILL_COUNT\t\nREFUND_AMOUNT\t\nREFUND_COUNT\t\nREFUND_RATE\t\nSALE_AMOUNT\t\nSALE_COUNT\t\nUPSELL_AMOUNT\t\nUPSELL_COUNT\t' ;;
  '20') lines=$'AFFILIATE\t\nCUSTOMER_CURRENCY\t\nCUSTOMER_COUNTRY\t\nCUSTOMER_PROVINCE\t\nCUSTOMER_LANGUAGE\t\nPRODUCT_SKU\trole VENDOR only\nTRACKING_ID\t\nVENDOR\t\nVENDOR_CATEGORY\t\nVENDOR_PRODUCT_SKU\trole AFFILIATE only' ;;
  '21') lines=$'VENDOR_ONLY\tthe account only\nAFFILIATE_ONLY\tall but the account' ;;
  '22') lines=$'DATE\tbusiness day' ;;
  '23') lines=$'RECEIPT\t\nPURCHASE_DATE\t\nSUB_END_DATE\t\nSUB_CANCEL_DATE\t\nNEXT_PAYMENT_DATE\t\nSUB_VALUE\t\nSTATUS\t\nITEM_NUMBER\t\nPROCESSED_PAYMENTS_COUNT\t\nFUTURE_PAYMENTS_COUNT\t\nREFUND_COUNT\t\nREFUND_AMOUNT\t\nCHARGEBACK_COUNT\t\nCHARGEBACK_AMOUNT\t\nPUB_NICK_NAME\t\nAFFILIATE_NICK_NAME\t\nDURATION\t\nINITIAL_SALE_AMOUNT\t\nINITIAL_SALE_COUNT\t\nREBILL_SALE_AMOUNT\t\nREBILL_SALE_COUNT\t\nCUSTOMER_FIRST_NAME\trole VENDOR only\nCUSTOMER_LAST_NAME\trole VENDOR only\nCUSTOMER_DISPLAY_NAME\trole VENDOR only\nCUSTOMER_EMAIL\trole VENDOR only' ;;
  '24') lines=$'ASC\tlowest first\nDESC\thighest first' ;;
  '25') lines=$'ACTIVE\t\nCOMPLETED\t\nCANCELED\t\nRETRY_PAYMENT\ta payment failed and is tried again\nREQUEST_NEW_CARD\tthe customer is asked for another card' ;;
  '26') lines=$'GET\t\nHEAD\t\nPOST\t\nPUT\t\nDELETE\t' ;;
  '27') lines=$'pace\tRequests a second, of all cb processes of the profile together\nhistory\tKeep receipts, ticket IDs, SKUs, image IDs and accounts for shell completion' ;;
  '28') lines=$'bash\tbash 3.2 or newer\nzsh\tzsh 5 or newer\nfish\tfish 3 or newer\npowershell\tPowerShell 5 or newer' ;;
  *) return 1 ;;
  esac
}

# Sets takes to what the flag $1 takes.
_cb_takes() {
  local set lines line
  takes=''
  for set in 0 ${=sets}; do
    _cb_set $set
    for line in "${(@f)lines}"; do
      [[ $line == "$1"$'\t'* ]] || continue
      takes=${${line#*$'\t'}%%$'\t'*}
      return
    done
  done
}

_cb_below() { [[ $'\n'$below == *$'\n'"$1"$'\t'* ]] }

# Sets path_, count (of arguments), takes (of the flag before), ended (by --).
_cb_walk() {
  local word
  _cb_command ''
  for word in "${(@)words[2,CURRENT-1]}"; do
    word=${(Q)word}
    if [[ -n $takes ]]; then takes=''
    elif [[ -z $ended && $word == -- ]]; then ended=1
    elif [[ -z $ended && $word == -?* ]]; then [[ $word == *=* ]] || _cb_takes $word
    elif ((count == 0)) && _cb_below $word; then
      path_="${path_:+$path_ }$word"
      _cb_command $path_
    else ((count += 1))
    fi
  done
}

# Offers lines: a word first, what it means last. _cb_offer TAG OPTIONS
_cb_offer() {
  local line word described=() tag=$1
  shift
  for line in "${(@f)lines}"; do
    [[ -n $line ]] || continue
    word=${${line%%$'\t'*}//:/\\:}
    [[ $line == *$'\t'?* ]] && word+=:${line##*$'\t'}
    described+=($word)
  done
  _describe -t $tag $tag described "$@"
}

_cb_source() {
  local lines=''
  case $1 in
  values:*) _cb_values ${1#*:} && _cb_offer values ;;
  several:*)
    compset -P '*,'
    _cb_values ${1#*:} && _cb_offer values -qS ,
    ;;
  ask:*)
    compset -P '*,'
    lines=$("${(Q)words[1]/#\~/$HOME}" __complete ${1#*:} -- "${(@Q)words[2,CURRENT-1]}" 2>/dev/null </dev/null)
    [[ -n $lines ]] && _cb_offer ${1#*:}
    ;;
  files) _files ;;
  *) return 1 ;;
  esac
}

_cb_flags() {
  local set lines all=''
  for set in ${=sets} 0; do
    _cb_set $set
    all+=$lines$'\n'
  done
  lines=$all
  _cb_offer flags
}

# The argument at the cursor; the last one may go on.
_cb_place() {
  local all=(${=places})
  ((count >= $#all)) && [[ -n $goes_on ]] && count=$(($#all - 1))
  ((count < $#all)) && _cb_source ${all[count+1]}
}

_cb() {
  local path_='' count=0 takes='' ended='' below sets places goes_on lines
  local cur=${(Q)words[CURRENT]}
  _cb_walk
  if [[ -n $takes ]]; then _cb_source $takes
  elif [[ -z $ended && $cur == --*=* ]]; then
    _cb_takes ${cur%%=*}
    compset -P 1 '*='
    _cb_source $takes
  elif [[ -z $ended && $cur == -* ]]; then _cb_flags
  elif ((count == 0)) && [[ -n $below ]]; then
    lines=$below
    _cb_offer commands
  else _cb_place
  fi
}

# Found in fpath, it is called at once; sourced, it makes itself known.
if [[ $funcstack[1] == _cb ]]; then _cb "$@"; else compdef _cb cb; fi

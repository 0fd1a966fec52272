# Completion of cb for PowerShell; made by `cb completion powershell`.
Register-ArgumentCompleter -Native -CommandName cb -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $table = @'
{"commands": [
{"path":"","words":[["orders","Find sales, rebills, refunds; change subscriptions"],["tickets","Refunds, cancellations and technical support of customers"],["products","List, read, save and delete products"],["quickstats","Sales, refunds and chargebacks per account and day"],["ship","Orders to be shipped, and notices of what was"],["analytics","Figures by dimension, subscriptions and their trends"],["api","Send any request to the service, unchecked"],["login","Store an API key as a profile"],["logout","Forget the key of a profile"],["whoami","Show which service and key are used, and what the key may do"],["profiles","List, switch and remove stored keys"],["doctor","Look for what is wrong with the set-up, and tell what mends it"],["config","Settings of a profile, such as its pace"],["sandbox","The whole service on this machine, to try, script and test"],["completion","Let the shell complete commands, flags, values and what was seen lately"],["help","Help on a command, or on a topic such as dates, output or safety"]],"sets":[],"places":[],"goesOn":false},
{"path":"orders","words":[["list","List transactions: sales, rebills, refunds, chargebacks"],["watch","Show new orders as they come, until you stop it"],["count","Count transactions, with the filters of list"],["get","Show all transactions of a receipt: the sale, its rebills, its refund"],["active","Tell whether an order or subscription is active (exit code 0) or not (9)"],["upsells","List the upsells of an order"],["reinstate","Restart a cancelled subscription, up to 60 days after its cancellation (beta)"],["pause","Pause a subscription until a day (beta)"],["extend","Add rebill periods to a subscription (beta)"],["change-product","Move a subscription to another product, up or down (beta)"],["change-address","Change the shipping address of a physical subscription"],["change-date","Change the next bill date of a subscription (beta)"],["schema","Print the XML Schema of an order"]],"sets":[],"places":[],"goesOn":false},
{"path":"orders list","words":[],"sets":[1,2],"places":[],"goesOn":false},
{"path":"orders watch","words":[],"sets":[3,4],"places":[],"goesOn":false},
{"path":"orders count","words":[],"sets":[5,6],"places":[],"goesOn":false},
{"path":"orders get","words":[],"sets":[7,8],"places":["ask:receipt"],"goesOn":false},
{"path":"orders active","words":[],"sets":[7,6],"places":["ask:receipt"],"goesOn":false},
{"path":"orders upsells","words":[],"sets":[8],"places":["ask:receipt"],"goesOn":false},
{"path":"orders reinstate","words":[],"sets":[7,6,9],"places":["ask:receipt"],"goesOn":false},
{"path":"orders pause","words":[],"sets":[10,6,9],"places":["ask:receipt"],"goesOn":false},
{"path":"orders extend","words":[],"sets":[11,6,9],"places":["ask:receipt"],"goesOn":false},
{"path":"orders change-product","words":[],"sets":[12,6,9],"places":["ask:receipt"],"goesOn":false},
{"path":"orders change-address","words":[],"sets":[13,6,9],"places":["ask:receipt"],"goesOn":false},
{"path":"orders change-date","words":[],"sets":[14,6,9],"places":["ask:receipt"],"goesOn":false},
{"path":"orders schema","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"tickets","words":[["list","Search tickets; periods of more than 7 days are asked for in parts"],["count","Count tickets"],["get","Show a ticket with its comments"],["create","Open a ticket: refund, cancellation or technical support"],["refund-amounts","Show what a refund would pay back"],["refund","Refund or cancel, step by step (the wizard)"],["close","Close a ticket; closing an open refund cancels the refund"],["reopen","Reopen a closed ticket"],["change","Change the kind of a ticket; changed to rfnd, it is a full refund"],["comment","Add a comment to a ticket"],["returned","Acknowledge that a physical item came back; its refund then completes"],["schema","Print the XML Schema of a ticket"],["partial-refund-schema","Print the XML Schema of refund amounts"]],"sets":[],"places":[],"goesOn":false},
{"path":"tickets list","words":[],"sets":[15,2],"places":[],"goesOn":false},
{"path":"tickets count","words":[],"sets":[16,6],"places":[],"goesOn":false},
{"path":"tickets get","words":[],"sets":[6],"places":["ask:ticket"],"goesOn":false},
{"path":"tickets create","words":[],"sets":[17,18,6],"places":["ask:receipt"],"goesOn":false},
{"path":"tickets refund-amounts","words":[],"sets":[19,6],"places":["ask:receipt"],"goesOn":false},
{"path":"tickets refund","words":[],"sets":[6,20],"places":["ask:receipt"],"goesOn":false},
{"path":"tickets close","words":[],"sets":[21,6,9],"places":["ask:ticket"],"goesOn":true},
{"path":"tickets reopen","words":[],"sets":[22,6,9],"places":["ask:ticket"],"goesOn":true},
{"path":"tickets change","words":[],"sets":[23,6,9],"places":["ask:ticket"],"goesOn":true},
{"path":"tickets comment","words":[],"sets":[24,6,9],"places":["ask:ticket"],"goesOn":true},
{"path":"tickets returned","words":[],"sets":[6,9],"places":["ask:ticket"],"goesOn":true},
{"path":"tickets schema","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"tickets partial-refund-schema","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"products","words":[["list","List the products of a site"],["get","Show a product"],["save","Make a product, or change it"],["delete","Delete a product"],["schema","Print the XML Schema of a product"]],"sets":[],"places":[],"goesOn":false},
{"path":"products list","words":[],"sets":[25,8],"places":[],"goesOn":false},
{"path":"products get","words":[],"sets":[26,6],"places":["ask:sku"],"goesOn":false},
{"path":"products save","words":[],"sets":[27,6,9],"places":["ask:sku"],"goesOn":false},
{"path":"products delete","words":[],"sets":[26,6,9],"places":["ask:sku"],"goesOn":false},
{"path":"products schema","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"quickstats","words":[["list","Sales, refunds and chargebacks per account and day"],["count","Sales, refunds and chargebacks per account, summed over the period"],["report","Make one HTML page of the period: totals, charts and tables, by day and by account"],["accounts","List the account nicknames that the key may read"],["schema","Print the XML Schema of quickstats"]],"sets":[],"places":[],"goesOn":false},
{"path":"quickstats list","words":[],"sets":[28,29],"places":[],"goesOn":false},
{"path":"quickstats count","words":[],"sets":[28,29],"places":[],"goesOn":false},
{"path":"quickstats report","words":[],"sets":[30,31],"places":[],"goesOn":false},
{"path":"quickstats accounts","words":[],"sets":[8],"places":[],"goesOn":false},
{"path":"quickstats schema","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"ship","words":[["list","List physical orders that are to be shipped, or were"],["count","Count physical orders that are to be shipped, or were"],["schema","Print the XML Schema of a shippable order"],["notice","Tell what was shipped, and read it"]],"sets":[],"places":[],"goesOn":false},
{"path":"ship list","words":[],"sets":[32,2],"places":[],"goesOn":false},
{"path":"ship count","words":[],"sets":[32,6],"places":[],"goesOn":false},
{"path":"ship schema","words":[],"sets":[33,6],"places":[],"goesOn":false},
{"path":"ship notice","words":[["add","Tell that an order was shipped; each call adds a notice"],["list","List the ship notices of a receipt"],["schema","Print the XML Schema of a ship notice"],["import","Tell of many shipments out of a CSV file, each exactly once"]],"sets":[],"places":[],"goesOn":false},
{"path":"ship notice add","words":[],"sets":[34,18,6],"places":["ask:receipt"],"goesOn":false},
{"path":"ship notice list","words":[],"sets":[33,8],"places":["ask:receipt"],"goesOn":false},
{"path":"ship notice schema","words":[],"sets":[33,6],"places":[],"goesOn":false},
{"path":"ship notice import","words":[],"sets":[35,18,6],"places":["files"],"goesOn":false},
{"path":"analytics","words":[["status","Tell whether the analytics are up to date: GREEN, YELLOW or RED"],["dimension","Figures by affiliate, country, tracking id or another dimension"],["summary","Figures of a dimension summed up, for your account or for all others"],["trends","Sums over subscriptions, by product and by day"],["subscriptions","List subscriptions, by what happened to them or will"],["schema","Print an XML Schema"]],"sets":[],"places":[],"goesOn":false},
{"path":"analytics status","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"analytics dimension","words":[],"sets":[36,37],"places":["values:19"],"goesOn":false},
{"path":"analytics summary","words":[],"sets":[38,37],"places":["values:19"],"goesOn":false},
{"path":"analytics trends","words":[],"sets":[39,40],"places":[],"goesOn":false},
{"path":"analytics subscriptions","words":[["list","List all subscriptions"],["completing-30","List subscriptions that complete in the next 30 days"],["completing-60","List subscriptions that complete in the next 60 days"],["canceled-30","List subscriptions canceled in the last 30 days"],["canceled-60","List subscriptions canceled in the last 60 days"],["by-start-date","List subscriptions that started in a period"],["by-cancel-date","List subscriptions that were canceled in a period"],["by-next-payment-date","List subscriptions whose next payment falls into a period"],["by-status","List subscriptions of a status"]],"sets":[],"places":[],"goesOn":false},
{"path":"analytics subscriptions list","words":[],"sets":[41,8],"places":[],"goesOn":false},
{"path":"analytics subscriptions completing-30","words":[],"sets":[41,8],"places":[],"goesOn":false},
{"path":"analytics subscriptions completing-60","words":[],"sets":[41,8],"places":[],"goesOn":false},
{"path":"analytics subscriptions canceled-30","words":[],"sets":[41,8],"places":[],"goesOn":false},
{"path":"analytics subscriptions canceled-60","words":[],"sets":[41,8],"places":[],"goesOn":false},
{"path":"analytics subscriptions by-start-date","words":[],"sets":[42,8],"places":[],"goesOn":false},
{"path":"analytics subscriptions by-cancel-date","words":[],"sets":[42,8],"places":[],"goesOn":false},
{"path":"analytics subscriptions by-next-payment-date","words":[],"sets":[42,8],"places":[],"goesOn":false},
{"path":"analytics subscriptions by-status","words":[],"sets":[43,8],"places":[],"goesOn":false},
{"path":"analytics schema","words":[["AnalyticsStatus","Print the XML Schema of the analytics status"],["AnalyticsResult","Print the XML Schema of figures by dimension"],["SubscriptionDetailResult","Print the XML Schema of subscription listings"],["SubscriptionDetailResultRow","Print the XML Schema of one subscription"],["SubscriptionTrendsData","Print the XML Schema of subscription trends"]],"sets":[],"places":[],"goesOn":false},
{"path":"analytics schema AnalyticsStatus","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"analytics schema AnalyticsResult","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"analytics schema SubscriptionDetailResult","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"analytics schema SubscriptionDetailResultRow","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"analytics schema SubscriptionTrendsData","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"api","words":[],"sets":[44],"places":["values:25","free"],"goesOn":false},
{"path":"login","words":[],"sets":[45],"places":[],"goesOn":false},
{"path":"logout","words":[],"sets":[],"places":[],"goesOn":false},
{"path":"whoami","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"profiles","words":[["list","List the profiles, without their keys"],["use","Use a profile from now on; sandbox is one too"],["remove","Forget a profile and its key"]],"sets":[],"places":[],"goesOn":false},
{"path":"profiles list","words":[],"sets":[8],"places":[],"goesOn":false},
{"path":"profiles use","words":[],"sets":[],"places":["ask:profiles"],"goesOn":false},
{"path":"profiles remove","words":[],"sets":[],"places":["ask:profiles"],"goesOn":false},
{"path":"doctor","words":[],"sets":[46,8],"places":[],"goesOn":false},
{"path":"config","words":[["list","List all settings of a profile"],["get","Print what holds for a setting, set or not"],["set","Set a setting of a profile"],["unset","Forget what was set, so that the default holds"],["path","Print the file that holds profiles and settings"]],"sets":[],"places":[],"goesOn":false},
{"path":"config list","words":[],"sets":[8],"places":[],"goesOn":false},
{"path":"config get","words":[],"sets":[6],"places":["values:26"],"goesOn":false},
{"path":"config set","words":[],"sets":[],"places":["values:26","free"],"goesOn":false},
{"path":"config unset","words":[],"sets":[],"places":["values:26"],"goesOn":false},
{"path":"config path","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"sandbox","words":[["start","Serve the sandbox to other programs until Ctrl-C"],["exec","Run a program with CB_BASE_URL and CB_API_KEY set to the sandbox"],["reset","Throw away what was changed and make up as many orders again"],["seed","Fill the sandbox with another set of orders"],["status","Show what is in the sandbox, and its keys"],["clock","Show the clock of the sandbox, or put it forward: rebills happen, refunds settle"],["faults","Show the faults of the sandbox, set them, or end them"]],"sets":[],"places":[],"goesOn":false},
{"path":"sandbox start","words":[],"sets":[47],"places":[],"goesOn":false},
{"path":"sandbox exec","words":[],"sets":[48],"places":["files"],"goesOn":true},
{"path":"sandbox reset","words":[],"sets":[],"places":[],"goesOn":false},
{"path":"sandbox seed","words":[],"sets":[49],"places":[],"goesOn":false},
{"path":"sandbox status","words":[],"sets":[6],"places":[],"goesOn":false},
{"path":"sandbox clock","words":[],"sets":[],"places":["free","free"],"goesOn":false},
{"path":"sandbox faults","words":[],"sets":[6],"places":["free"],"goesOn":false},
{"path":"completion","words":[["bash","Print the script of bash 3.2 or newer"],["zsh","Print the script of zsh 5 or newer"],["fish","Print the script of fish 3 or newer"],["powershell","Print the script of PowerShell 5 or newer"],["install","Write the script where the shell looks for it"],["forget","Forget the receipts, ticket ids, skus and accounts that were kept"]],"sets":[],"places":[],"goesOn":false},
{"path":"completion bash","words":[],"sets":[],"places":[],"goesOn":false},
{"path":"completion zsh","words":[],"sets":[],"places":[],"goesOn":false},
{"path":"completion fish","words":[],"sets":[],"places":[],"goesOn":false},
{"path":"completion powershell","words":[],"sets":[],"places":[],"goesOn":false},
{"path":"completion install","words":[],"sets":[50],"places":["values:27"],"goesOn":false},
{"path":"completion forget","words":[],"sets":[],"places":[],"goesOn":false},
{"path":"help","words":[["orders","Find sales, rebills, refunds; change subscriptions"],["tickets","Refunds, cancellations and technical support of customers"],["products","List, read, save and delete products"],["quickstats","Sales, refunds and chargebacks per account and day"],["ship","Orders to be shipped, and notices of what was"],["analytics","Figures by dimension, subscriptions and their trends"],["api","Send any request to the service, unchecked"],["login","Store an API key as a profile"],["logout","Forget the key of a profile"],["whoami","Show which service and key are used, and what the key may do"],["profiles","List, switch and remove stored keys"],["doctor","Look for what is wrong with the set-up, and tell what mends it"],["config","Settings of a profile, such as its pace"],["sandbox","The whole service on this machine, to try, script and test"],["completion","Let the shell complete commands, flags, values and what was seen lately"],["dates","a topic"],["output","a topic"],["exit-codes","a topic"],["environment","a topic"],["credentials","a topic"],["safety","a topic"]],"sets":[],"places":[],"goesOn":true},
{"path":"help orders","words":[["list","List transactions: sales, rebills, refunds, chargebacks"],["watch","Show new orders as they come, until you stop it"],["count","Count transactions, with the filters of list"],["get","Show all transactions of a receipt: the sale, its rebills, its refund"],["active","Tell whether an order or subscription is active (exit code 0) or not (9)"],["upsells","List the upsells of an order"],["reinstate","Restart a cancelled subscription, up to 60 days after its cancellation (beta)"],["pause","Pause a subscription until a day (beta)"],["extend","Add rebill periods to a subscription (beta)"],["change-product","Move a subscription to another product, up or down (beta)"],["change-address","Change the shipping address of a physical subscription"],["change-date","Change the next bill date of a subscription (beta)"],["schema","Print the XML Schema of an order"]],"sets":[],"places":[],"goesOn":false},
{"path":"help tickets","words":[["list","Search tickets; periods of more than 7 days are asked for in parts"],["count","Count tickets"],["get","Show a ticket with its comments"],["create","Open a ticket: refund, cancellation or technical support"],["refund-amounts","Show what a refund would pay back"],["refund","Refund or cancel, step by step (the wizard)"],["close","Close a ticket; closing an open refund cancels the refund"],["reopen","Reopen a closed ticket"],["change","Change the kind of a ticket; changed to rfnd, it is a full refund"],["comment","Add a comment to a ticket"],["returned","Acknowledge that a physical item came back; its refund then completes"],["schema","Print the XML Schema of a ticket"],["partial-refund-schema","Print the XML Schema of refund amounts"]],"sets":[],"places":[],"goesOn":false},
{"path":"help products","words":[["list","List the products of a site"],["get","Show a product"],["save","Make a product, or change it"],["delete","Delete a product"],["schema","Print the XML Schema of a product"]],"sets":[],"places":[],"goesOn":false},
{"path":"help quickstats","words":[["list","Sales, refunds and chargebacks per account and day"],["count","Sales, refunds and chargebacks per account, summed over the period"],["report","Make one HTML page of the period: totals, charts and tables, by day and by account"],["accounts","List the account nicknames that the key may read"],["schema","Print the XML Schema of quickstats"]],"sets":[],"places":[],"goesOn":false},
{"path":"help ship","words":[["list","List physical orders that are to be shipped, or were"],["count","Count physical orders that are to be shipped, or were"],["schema","Print the XML Schema of a shippable order"],["notice","Tell what was shipped, and read it"]],"sets":[],"places":[],"goesOn":false},
{"path":"help ship notice","words":[["add","Tell that an order was shipped; each call adds a notice"],["list","List the ship notices of a receipt"],["schema","Print the XML Schema of a ship notice"],["import","Tell of many shipments out of a CSV file, each exactly once"]],"sets":[],"places":[],"goesOn":false},
{"path":"help analytics","words":[["status","Tell whether the analytics are up to date: GREEN, YELLOW or RED"],["dimension","Figures by affiliate, country, tracking id or another dimension"],["summary","Figures of a dimension summed up, for your account or for all others"],["trends","Sums over subscriptions, by product and by day"],["subscriptions","List subscriptions, by what happened to them or will"],["schema","Print an XML Schema"]],"sets":[],"places":[],"goesOn":false},
{"path":"help analytics subscriptions","words":[["list","List all subscriptions"],["completing-30","List subscriptions that complete in the next 30 days"],["completing-60","List subscriptions that complete in the next 60 days"],["canceled-30","List subscriptions canceled in the last 30 days"],["canceled-60","List subscriptions canceled in the last 60 days"],["by-start-date","List subscriptions that started in a period"],["by-cancel-date","List subscriptions that were canceled in a period"],["by-next-payment-date","List subscriptions whose next payment falls into a period"],["by-status","List subscriptions of a status"]],"sets":[],"places":[],"goesOn":false},
{"path":"help analytics schema","words":[["AnalyticsStatus","Print the XML Schema of the analytics status"],["AnalyticsResult","Print the XML Schema of figures by dimension"],["SubscriptionDetailResult","Print the XML Schema of subscription listings"],["SubscriptionDetailResultRow","Print the XML Schema of one subscription"],["SubscriptionTrendsData","Print the XML Schema of subscription trends"]],"sets":[],"places":[],"goesOn":false},
{"path":"help profiles","words":[["list","List the profiles, without their keys"],["use","Use a profile from now on; sandbox is one too"],["remove","Forget a profile and its key"]],"sets":[],"places":[],"goesOn":false},
{"path":"help config","words":[["list","List all settings of a profile"],["get","Print what holds for a setting, set or not"],["set","Set a setting of a profile"],["unset","Forget what was set, so that the default holds"],["path","Print the file that holds profiles and settings"]],"sets":[],"places":[],"goesOn":false},
{"path":"help sandbox","words":[["start","Serve the sandbox to other programs until Ctrl-C"],["exec","Run a program with CB_BASE_URL and CB_API_KEY set to the sandbox"],["reset","Throw away what was changed and make up as many orders again"],["seed","Fill the sandbox with another set of orders"],["status","Show what is in the sandbox, and its keys"],["clock","Show the clock of the sandbox, or put it forward: rebills happen, refunds settle"],["faults","Show the faults of the sandbox, set them, or end them"]],"sets":[],"places":[],"goesOn":false},
{"path":"help completion","words":[["bash","Print the script of bash 3.2 or newer"],["zsh","Print the script of zsh 5 or newer"],["fish","Print the script of fish 3 or newer"],["powershell","Print the script of PowerShell 5 or newer"],["install","Write the script where the shell looks for it"],["forget","Forget the receipts, ticket ids, skus and accounts that were kept"]],"sets":[],"places":[],"goesOn":false}
],
"sets": [
[["-V","","Show the version"],["--version","","Show the version"],["-o","values:0","table, json, ndjson, csv, tsv or xml"],["--output","values:0","table, json, ndjson, csv, tsv or xml"],["--sandbox","","Use the built-in sandbox instead of the live service"],["--profile","ask:profiles","Use this profile; sandbox, or sandbox:read-only, is built in"],["--all-profiles","","Read from every profile; --profile a,b reads from several"],["--no-input","","Never ask anything"],["--no-color","","No colour"],["--tz","free","Count days in this zone (default: Pacific, as the service does)"],["--timeout","free","The longest that one request may take (default: 60)"],["--max-wait","free","The longest to wait for another try, in all (default: 60)"],["--wire","values:1","Ask the service for json (default) or xml"],["--debug","","Show each request on stderr, and where a fault is"],["-h","","Show this help"],["--help","","Show this help"]],
[["--start-date","values:2","First day of the search"],["--end-date","values:2","Last day of the search"],["--type","values:3","Kind of transaction"],["--vendor","ask:account","Vendor nickname"],["--affiliate","free","Affiliate nickname, or 'none' for orders without one"],["--last-name","free","Last name of the customer"],["--item","ask:sku","Item number in the order"],["--email","free","E-mail address of the customer"],["--tid","free","Tracking id or promo code, of vendor or affiliate"],["--postal-code","free","Postal code of the customer"],["--role","values:4","Role of your account in the transaction"],["--amount","free","Total amount of the transaction"],["--period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"]],
[["--fields","free","Only these columns, as in receipt,lineItemData.itemNo"],["--query","free","A JMESPath expression over the whole list"],["--expand","free","A row for each element of this list, as in lineItemData"],["--limit","free","At most so many rows"],["--out","files","Write to a file, whole or not at all; its ending picks the format"],["--raw","","Print the answer as received"],["--bom","","csv: begin with a byte order mark, for Excel"],["--crlf","","csv: end lines with CR LF"],["--delimiter","free","csv: instead of the comma"],["--text-ids","","csv: write 007, 1E5, 3/4 or MAR1 as =\"007\", shown as typed"],["--spread","free","csv, tsv: columns for the first n elements (default: 3)"],["--no-header","","csv, tsv: without the line of column names, as for >>"],["--page","free","Only this page of the service, of 100 rows"],["--concurrency","free","Pages under way at once (default: 10)"],["--max-pages","free","Maximum number of pages of one period (default: 10000)"],["--resume","","Continue an export that was stopped; requires --out"],["--since-last","free","Only rows that earlier runs of this name did not return"],["--append","files","Add the rows of --since-last to a file, each exactly once"]],
[["--type","free","Kind of transaction: SALE (sale), RFND (refund), CGBK (chargeback), FEE (fee), BILL (rebill), TEST_SALE (test sale), TEST_BILL (test rebill), TEST_RFND (test refund), TEST_FEE (test fee) (default: all kinds)"],["--vendor","free","Vendor nickname; % stands for anything"],["--affiliate","free","Affiliate nickname, or 'none' for orders without one; % stands for anything"],["--last-name","free","Last name of the customer; % stands for anything"],["--item","free","Item number in the order"],["--email","free","E-mail address of the customer; % stands for anything"],["--tid","free","Tracking id or promo code, of vendor or affiliate"],["--postal-code","free","Postal code of the customer; % stands for anything"],["--role","free","Role of your account in the transaction: VENDOR (you sold it), AFFILIATE (you referred it)"],["--amount","free","Total amount of the transaction"],["--every","free","Seconds between two looks (default: 30)"],["--today","","First those of today so far"]],
[["--fields","free","Only these columns, as in receipt,lineItemData.itemNo"],["--expand","free","A row for each element of this list, as in lineItemData"],["--limit","free","At most so many rows"],["--bom","","csv: begin with a byte order mark, for Excel"],["--crlf","","csv: end lines with CR LF"],["--delimiter","free","csv: instead of the comma"],["--text-ids","","csv: write 007, 1E5, 3/4 or MAR1 as =\"007\", shown as typed"],["--spread","free","csv, tsv: columns for the first n elements (default: 3)"],["--no-header","","csv, tsv: without the line of column names, as for >>"]],
[["--start-date","values:2","First day of the search"],["--end-date","values:2","Last day of the search"],["--type","values:3","Kind of transaction"],["--vendor","ask:account","Vendor nickname"],["--affiliate","free","Affiliate nickname, or 'none' for orders without one"],["--last-name","free","Last name of the customer"],["--item","ask:sku","Item number in the order"],["--email","free","E-mail address of the customer"],["--tid","free","Tracking id or promo code, of vendor or affiliate"],["--postal-code","free","Postal code of the customer"],["--role","values:4","Role of your account in the transaction"],["--period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"]],
[["--out","files","Write to a file, whole or not at all; its ending picks the format"],["--raw","","Print the answer as received"]],
[["--sku","ask:sku","Item number of the line item, when the order has several"]],
[["--fields","free","Only these columns, as in receipt,lineItemData.itemNo"],["--query","free","A JMESPath expression over the whole list"],["--expand","free","A row for each element of this list, as in lineItemData"],["--limit","free","At most so many rows"],["--out","files","Write to a file, whole or not at all; its ending picks the format"],["--raw","","Print the answer as received"],["--bom","","csv: begin with a byte order mark, for Excel"],["--crlf","","csv: end lines with CR LF"],["--delimiter","free","csv: instead of the comma"],["--text-ids","","csv: write 007, 1E5, 3/4 or MAR1 as =\"007\", shown as typed"],["--spread","free","csv, tsv: columns for the first n elements (default: 3)"],["--no-header","","csv, tsv: without the line of column names, as for >>"]],
[["-y","","Do it without asking"],["--yes","","Do it without asking"],["--dry-run","","Print what would be sent, and send nothing"]],
[["--restart-date","values:2","Day on which it resumes: not before the next payment, at most 60 days ahead"],["--sku","ask:sku","Item number of the line item, when the order has several"]],
[["--num-periods","free","Number of rebill periods to add"],["--sku","ask:sku","Item number of the line item, when the order has several"]],
[["--old-sku","ask:sku","SKU of the current product"],["--new-sku","ask:sku","SKU of the new product, in the same currency"],["--carry-affiliate","","Carry the original affiliate over to the new subscription"],["--no-carry-affiliate","","Carry the original affiliate over to the new subscription"],["--apply-prorated-refund","","Refund the unused part of the period"],["--no-apply-prorated-refund","","Refund the unused part of the period"],["--next-rebill-date","values:2","Day of the next rebill"]],
[["--first-name","free","First name of the customer"],["--last-name","free","Last name of the customer"],["--address1","free","First line of the address"],["--address2","free","Second line of the address"],["--city","free","City"],["--county","free","County"],["--province","free","State or province"],["--country-code","free","Country code, as in US"],["--postal-code","free","Postal code"]],
[["--change-date","values:2","Day of the next payment"],["--sku","ask:sku","Item number of the line item, when the order has several"]],
[["--type","values:6","Kind of ticket"],["--status","values:7","Status of the ticket"],["--receipt","ask:receipt","Receipt, with the tickets of its rebills"],["--create-date-from","values:2","First day on which it was opened"],["--create-date-to","values:2","Last day on which it was opened"],["--update-date-from","values:2","First day on which it was updated"],["--update-date-to","values:2","Last day on which it was updated"],["--close-date-from","values:2","First day on which it was closed"],["--close-date-to","values:2","Last day on which it was closed"],["--create-period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"],["--update-period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"],["--close-period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"]],
[["--type","values:6","Kind of ticket"],["--status","values:7","Status of the ticket"],["--receipt","ask:receipt","Receipt, with the tickets of its rebills"]],
[["--type","values:6","Kind of ticket"],["--reason","values:8","Why, matching the kind of ticket"],["--refund-type","values:9","How much to refund"],["--refund-amount","free","Percent (1 to 80) or amount to refund"],["--sku","ask:sku","Item number of the line item, when the order has several"],["--comment","free","Comment on the ticket"],["--retain-subscription","","Keep the subscription after the refund"],["--no-retain-subscription","","Keep the subscription after the refund"],["--from","files","A ticket for each row of this CSV file, each exactly once; - is stdin, which needs --journal"],["--map","free","Columns by parameter, as in 'Order - Number=receipt,Code=tracking'"],["--preset","values:10","Columns of a tool: shipstation"],["--delimiter","free","Between the cells (default: found by the header)"],["--skip-invalid","","Leave out rows that are wrong, and send the others"],["--journal","files","Keep the journal there (default: FILE.cb-journal)"],["--restart","","Put the old journal away and begin anew"],["--results","files","Tell there what became of each row (default: FILE.results.csv)"],["--concurrency","free","Receipts under way at once (default: 4)"]],
[["--allow-duplicate","","Send it though an equal one is there already"],["-y","","Do it without asking"],["--yes","","Do it without asking"],["--dry-run","","Print what would be sent, and send nothing"]],
[["--sku","ask:sku","Item number of the line item, when the order has several"],["--refund-type","values:9","How much to refund"],["--refund-amount","free","Percent (1 to 80) or amount to refund"]],
[["--allow-duplicate","","Send it though an equal one is there already"],["--dry-run","","Print what would be sent, and send nothing"]],
[["--comment","free","Comment on the ticket"]],
[["--comment","free","Why it is reopened"]],
[["--type","values:6","Kind of ticket"],["--comment","free","Comment on the ticket"]],
[["--comment","free","What to say"]],
[["--site","ask:account","Nickname of the account that owns the product"],["--type","values:11","Kind of product"]],
[["--site","ask:account","Nickname of the account that owns the product"]],
[["--site","ask:account","Nickname of the account that owns the product"],["--currency","free","Currency it is sold in, as in USD"],["--price","free","Price; of a recurring product the initial one"],["--language","values:12","Language"],["--title","free","Title"],["--digital","","It has a digital component"],["--no-digital","","It has a digital component"],["--physical","","It has a physical component"],["--no-physical","","It has a physical component"],["--digital-recurring","","It has a digital recurring component"],["--no-digital-recurring","","It has a digital recurring component"],["--physical-recurring","","It has a physical recurring component"],["--no-physical-recurring","","It has a physical recurring component"],["--categories","several:13","Category; needed for a digital product, refused for others"],["--skip-confirmation-page","","Skip the confirmation page, where the key may"],["--no-skip-confirmation-page","","Skip the confirmation page, where the key may"],["--thank-you-page","free","Thank-you page; this or the mobile one is needed"],["--mobile-thank-you-page","free","Thank-you page for mobile devices"],["--rebill-price","free","Price of a rebill; needed for a recurring product"],["--rebill-commission","free","Commission on a rebill, in percent"],["--trial-period","free","Days of trial: 0, or 3 to 31; needed for a recurring product"],["--frequency","values:14","How often it is billed; needed for a recurring product"],["--duration","free","Number of rebills; 999 is endless; needed for a recurring product"],["--shipping-profile","free","Name of the shipping profile of a physical product"],["--purchase-commission","free","Commission on a sale, in percent"],["--description","free","Description; needed for a physical product"],["--image","free","Id of the image"],["--pitch-page","free","Pitch page; this or the mobile one is needed"],["--mobile-pitch-page","free","Pitch page for mobile devices"],["--sale-refund-days-limit","free","Days within which a sale can be refunded"],["--rebill-refund-days-limit","free","Days within which a rebill can be refunded"],["--delivery-method","free","Delivery method"],["--delivery-speed","free","Delivery speed"],["--pre-rebill-notification-override","","Announce rebills also when they need no notice"],["--no-pre-rebill-notification-override","","Announce rebills also when they need no notice"],["--pre-rebill-notification-lead-time","free","Days before a rebill at which it is announced"],["--from","files","Take what is not typed from a product as `products get -o json` prints it; - is stdin"]],
[["--start-date","values:2","First day"],["--end-date","values:2","Last day"],["--account","ask:account","Account nickname"],["--period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"]],
[["--fields","free","Only these columns, as in receipt,lineItemData.itemNo"],["--query","free","A JMESPath expression over the whole list"],["--expand","free","A row for each element of this list, as in lineItemData"],["--limit","free","At most so many rows"],["--out","files","Write to a file, whole or not at all; its ending picks the format"],["--raw","","Print the answer as received"],["--bom","","csv: begin with a byte order mark, for Excel"],["--crlf","","csv: end lines with CR LF"],["--delimiter","free","csv: instead of the comma"],["--text-ids","","csv: write 007, 1E5, 3/4 or MAR1 as =\"007\", shown as typed"],["--spread","free","csv, tsv: columns for the first n elements (default: 3)"],["--no-header","","csv, tsv: without the line of column names, as for >>"],["--totals","","Add the row over all others in every format"],["--chart","","Draw a chart in place of a table, of this figure (default: sale, refund, chargeback)"]],
[["--start-date","values:2","First day (default: 45 days ago)"],["--end-date","values:2","Last day (default: today)"],["--account","free","Account nickname (default: all accounts of the key)"],["--period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"]],
[["--out","files","The page, written whole or not at all; - is stdout"]],
[["--status","values:15","Which orders"],["--days","free","Orders of so many last days; dates go before"],["--start-date","values:2","First day"],["--end-date","values:2","Last day"],["--receipt","ask:receipt","Receipt; the other filters are then ignored"],["--period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"],["--generation","values:16","Generation of the service: 1, 2, 3 (default: 3)"]],
[["--generation","values:16","Generation of the service: 1, 2, 3 (default: 3)"]],
[["--date","values:2","Day of shipping: not before the purchase, not in the future"],["--carrier","free","Carrier, as in USPS"],["--tracking","free","Tracking id"],["--comments","free","Comments on the notice"],["--item","ask:sku","Item number, needed when the order has several physical items"],["--fill-order","","The whole order is shipped together: make the other notices too"],["--no-fill-order","","The whole order is shipped together: make the other notices too"],["--generation","values:16","Generation of the service: 1, 2, 3 (default: 3)"]],
[["--date","values:2","Day of shipping: not before the purchase, not in the future (needed)"],["--carrier","free","Carrier, as in USPS (needed)"],["--tracking","free","Tracking id"],["--comments","free","Comments on the notice"],["--item","free","Item number, needed when the order has several physical items"],["--fill-order","","The whole order is shipped together: make the other notices too"],["--no-fill-order","","The opposite"],["--map","free","Columns by parameter, as in 'Order - Number=receipt,Code=tracking'"],["--preset","values:10","Columns of a tool: shipstation"],["--delimiter","free","Between the cells (default: found by the header)"],["--skip-invalid","","Leave out rows that are wrong, and send the others"],["--journal","files","Keep the journal there (default: FILE.cb-journal)"],["--restart","","Put the old journal away and begin anew"],["--results","files","Tell there what became of each row (default: FILE.results.csv)"],["--concurrency","free","Receipts under way at once (default: 4)"]],
[["--role","values:17","Your role"],["--account","ask:account","Account nickname"],["--start-date","values:2","First day"],["--end-date","values:2","Last day"],["--dimension-filter","free","Only rows whose dimension has this id; upper and lower case count"],["--select","several:18","Figures to show; several, or separated by commas"],["--order-by","values:18","Figure to order by"],["--sort-ascending","","Lowest first"],["--no-sort-ascending","","Lowest first"],["--period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"]],
[["--fields","free","Only these columns, as in receipt,lineItemData.itemNo"],["--query","free","A JMESPath expression over the whole list"],["--expand","free","A row for each element of this list, as in lineItemData"],["--limit","free","At most so many rows"],["--out","files","Write to a file, whole or not at all; its ending picks the format"],["--raw","","Print the answer as received"],["--bom","","csv: begin with a byte order mark, for Excel"],["--crlf","","csv: end lines with CR LF"],["--delimiter","free","csv: instead of the comma"],["--text-ids","","csv: write 007, 1E5, 3/4 or MAR1 as =\"007\", shown as typed"],["--spread","free","csv, tsv: columns for the first n elements (default: 3)"],["--no-header","","csv, tsv: without the line of column names, as for >>"],["--totals","","Add the row over all others in every format"],["--page","free","Only this page of the service, of 100 rows"],["--concurrency","free","Pages under way at once (default: 10)"],["--max-pages","free","Maximum number of pages of one period (default: 10000)"],["--resume","","Continue an export that was stopped; requires --out"],["--since-last","free","Only rows that earlier runs of this name did not return"],["--append","files","Add the rows of --since-last to a file, each exactly once"],["--chart","","Draw a chart in place of a table, of this figure (default: SALE_AMOUNT)"]],
[["--role","values:17","Your role"],["--account","ask:account","Account nickname"],["--start-date","values:2","First day"],["--end-date","values:2","Last day"],["--dimension-filter","free","Only rows whose dimension has this id; upper and lower case count"],["--select","several:18","Figures to show; several, or separated by commas"],["--order-by","values:18","Figure to order by"],["--sort-ascending","","Lowest first"],["--no-sort-ascending","","Lowest first"],["--summary-type","values:20","Whose figures"],["--period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"]],
[["--role","values:17","Your role"],["--account","ask:account","Account nickname"],["--group-by","values:21","Sum up by"],["--product-id","free","Product id; several, or separated by commas"],["--start-date","values:2","First day"],["--end-date","values:2","Last day"],["--period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"]],
[["--fields","free","Only these columns, as in receipt,lineItemData.itemNo"],["--query","free","A JMESPath expression over the whole list"],["--expand","free","A row for each element of this list, as in lineItemData"],["--limit","free","At most so many rows"],["--out","files","Write to a file, whole or not at all; its ending picks the format"],["--raw","","Print the answer as received"],["--bom","","csv: begin with a byte order mark, for Excel"],["--crlf","","csv: end lines with CR LF"],["--delimiter","free","csv: instead of the comma"],["--text-ids","","csv: write 007, 1E5, 3/4 or MAR1 as =\"007\", shown as typed"],["--spread","free","csv, tsv: columns for the first n elements (default: 3)"],["--no-header","","csv, tsv: without the line of column names, as for >>"],["--page","free","Only this page of the service, of 100 rows"],["--concurrency","free","Pages under way at once (default: 10)"],["--max-pages","free","Maximum number of pages of one period (default: 10000)"],["--resume","","Continue an export that was stopped; requires --out"],["--since-last","free","Only rows that earlier runs of this name did not return"],["--append","files","Add the rows of --since-last to a file, each exactly once"],["--chart","","Draw a chart in place of a table, of this figure (default: netSales)"]],
[["--role","values:17","Your role"],["--account","ask:account","Account nickname"],["--order-by","values:22","Field to sort by"],["--sort-direction","values:23","Direction of the sort"]],
[["--role","values:17","Your role"],["--account","ask:account","Account nickname"],["--order-by","values:22","Field to sort by"],["--sort-direction","values:23","Direction of the sort"],["--start-date","values:2","First day"],["--end-date","values:2","Last day"],["--period","values:5","Both days at once: a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026"]],
[["--role","values:17","Your role"],["--account","ask:account","Account nickname"],["--order-by","values:22","Field to sort by"],["--sort-direction","values:23","Direction of the sort"],["--status","values:24","Status of the subscription"]],
[["-f","free","A query parameter; several times"],["--field","free","A query parameter; several times"],["--page","free","Send this number in the header Page"],["--paginate","","Follow 206 to the last page, body after body"],["-i","","Print the status and the headers too"],["--include","","Print the status and the headers too"],["-y","","Send a write without asking"],["--yes","","Send a write without asking"],["--dry-run","","Print what would be sent, and send nothing"]],
[["--with-key","","Read the key from stdin instead of asking for it"],["--base-url","free","The service that the key belongs to (default: the live one)"],["--keychain","","Store the key in the keychain of the system, not in the file"],["--no-check","","Store the key without asking the service about it"]],
[["--online","","Also ask the service about each key; on a terminal cb asks"],["--no-online","","Look at this machine only, and ask nothing"]],
[["--port","free","The port on 127.0.0.1 (default: any free one)"],["--key","free","Print this key (default: full)"],["--faults","free","Faults of this server alone (see cb sandbox faults --help)"]],
[["--key","free","Use this key (default: full)"]],
[["--orders","free","So many transactions, up to 1000000 (default: 5000)"],["--random-seed","free","The same number makes the same orders (default: 1)"]],
[["-y","","powershell: add the line to the profile, too"],["--yes","","powershell: add the line to the profile, too"]]
],
"values": [
[["table","for people; the default on a terminal"],["json","one valid document"],["ndjson","a JSON object a line"],["csv","for spreadsheets"],["tsv","tab-separated; the default in a pipe"],["xml","what the service sent"]],
[["json","the default"],["xml",""]],
[["today","Pacific, as the service counts"],["yesterday",""],["tomorrow",""],["monday","the latest; any weekday"],["-7d","so many days ago; also w, m, y"],["+30d","in so many days"]],
[["SALE","sale"],["RFND","refund"],["CGBK","chargeback"],["FEE","fee"],["BILL","rebill"],["TEST_SALE","test sale"],["TEST_BILL","test rebill"],["TEST_RFND","test refund"],["TEST_FEE","test fee"]],
[["VENDOR","you sold it"],["AFFILIATE","you referred it"]],
[["today",""],["yesterday",""],["last-7-days","any number of days, weeks, months"],["last-30-days",""],["this-week",""],["last-week",""],["this-month",""],["last-month",""],["last-3-months",""],["this-quarter",""],["last-quarter",""],["this-year",""],["last-year",""]],
[["rfnd","refund; on a subscription it also ends future billing"],["cncl","cancellation; on a one-time sale it refunds the sale"],["tech","technical support"]],
[["open","waiting"],["reopened","closed once, waiting again"],["closed","done"]],
[["ticket.type.cancel.1","no additional value for recurring payments"],["ticket.type.cancel.2","not satisfied, or did not meet expectations"],["ticket.type.cancel.3","no vendor support"],["ticket.type.cancel.4","not compatible with computer"],["ticket.type.cancel.5","cannot afford continuing payments"],["ticket.type.cancel.6","did not realize terms for continuing payments were accepted"],["ticket.type.cancel.7","other"],["ticket.type.cancel.not.mobile","not compatible with mobile device"],["ticket.type.refund.1","product never received"],["ticket.type.refund.2","not satisfied, or did not meet expectations"],["ticket.type.refund.3","not compatible with computer"],["ticket.type.refund.4","no technical support"],["ticket.type.refund.5","purchase not authorized"],["ticket.type.refund.6","purchase not recognized"],["ticket.type.refund.7","duplicate, or already purchased"],["ticket.type.refund.returned","product returned"],["ticket.type.refund.8","other"],["ticket.type.refund.not.mobile","not compatible with mobile device"],["ticket.type.tech_support.1","cannot log in"],["ticket.type.tech_support.2","download problems"],["ticket.type.tech_support.3","no valid registration code received"],["ticket.type.tech_support.4","product does not work"],["ticket.type.tech_support.9","other"],["ticket.type.tech_support.10","product never received"],["ticket.type.tech_support.12","return request"]],
[["FULL","all of it"],["PARTIAL_PERCENT","a percentage, 1 to 80"],["PARTIAL_AMOUNT","an amount in the currency the customer paid in"]],
[["shipstation",""]],
[["STANDARD","sold once"],["RECURRING","a subscription"]],
[["DE","German"],["EN","English"],["ES","Spanish"],["FR","French"],["IT","Italian"],["PT","Portuguese"]],
[["EBOOK",""],["SOFTWARE",""],["GAMES",""],["AUDIO",""],["VIDEO",""],["MEMBER_SITE",""]],
[["WEEKLY",""],["BI_WEEKLY",""],["MONTHLY",""],["QUARTERLY",""],["HALF_YEARLY",""],["YEARLY",""]],
[["shipped","with a ship notice"],["notshipped","without one"],["all","both"]],
[["1","a row an item"],["2","a row an order"],["3","with telephone numbers; the default"]],
[["AFFILIATE","you refer"],["VENDOR","you sell"]],
[["CHARGEBACK_AMOUNT",""],["CHARGEBACK_COUNT",""],["CHARGEBACK_RATE",""],["DIMENSION_VALUE",""],["EARNINGS_PER_HOP",""],["GROSS_SALE_COUNT",""],["GROSS_SALE_AMOUNT",""],["HOP_COUNT",""],["HOPS_PER_SALE",""],["HOPS_PER_ORDER_FORM_IMPRESSION",""],["NET_SALE_AMOUNT",""],["NET_SALE_COUNT",""],["ORDER_FORM_SALE_CONVERSION",""],["ORDER_IMPRESSION",""],["ORDER_SUBMISSION",""],["REBILL_AMOUNT",""],["REBILL_COUNT",""],["REFUND_AMOUNT",""],["REFUND_COUNT",""],["REFUND_RATE",""],["SALE_AMOUNT",""],["SALE_COUNT",""],["UPSELL_AMOUNT",""],["UPSELL_COUNT",""]],
[["AFFILIATE",""],["CUSTOMER_CURRENCY",""],["CUSTOMER_COUNTRY",""],["CUSTOMER_PROVINCE",""],["CUSTOMER_LANGUAGE",""],["PRODUCT_SKU","role VENDOR only"],["TRACKING_ID",""],["VENDOR",""],["VENDOR_CATEGORY",""],["VENDOR_PRODUCT_SKU","role AFFILIATE only"]],
[["VENDOR_ONLY","the account only"],["AFFILIATE_ONLY","all but the account"]],
[["DATE","business day"]],
[["RECEIPT",""],["PURCHASE_DATE",""],["SUB_END_DATE",""],["SUB_CANCEL_DATE",""],["NEXT_PAYMENT_DATE",""],["SUB_VALUE",""],["STATUS",""],["ITEM_NUMBER",""],["PROCESSED_PAYMENTS_COUNT",""],["FUTURE_PAYMENTS_COUNT",""],["REFUND_COUNT",""],["REFUND_AMOUNT",""],["CHARGEBACK_COUNT",""],["CHARGEBACK_AMOUNT",""],["PUB_NICK_NAME",""],["AFFILIATE_NICK_NAME",""],["DURATION",""],["INITIAL_SALE_AMOUNT",""],["INITIAL_SALE_COUNT",""],["REBILL_SALE_AMOUNT",""],["REBILL_SALE_COUNT",""],["CUSTOMER_FIRST_NAME","role VENDOR only"],["CUSTOMER_LAST_NAME","role VENDOR only"],["CUSTOMER_DISPLAY_NAME","role VENDOR only"],["CUSTOMER_EMAIL","role VENDOR only"]],
[["ASC","lowest first"],["DESC","highest first"]],
[["ACTIVE",""],["COMPLETED",""],["CANCELED",""],["RETRY_PAYMENT","a payment failed and is tried again"],["REQUEST_NEW_CARD","the customer is asked for another card"]],
[["GET",""],["HEAD",""],["POST",""],["PUT",""],["DELETE",""]],
[["pace","Requests a second, of all cb processes of the profile together"],["history","Keep receipts, ticket ids, skus and accounts for completion in the shell"]],
[["bash","bash 3.2 or newer"],["zsh","zsh 5 or newer"],["fish","fish 3 or newer"],["powershell","PowerShell 5 or newer"]]
]}
'@ | ConvertFrom-Json

  $entryOf = { param($path) foreach ($one in $table.commands) { if ($one.path -ceq $path) { return $one } } }
  $takesOf = {
    param($entry, $flag)
    foreach ($set in @(0) + @($entry.sets)) {
      foreach ($line in $table.sets[$set]) { if ($line[0] -ceq $flag) { return $line[1] } }
    }
  }
  $offer = {
    param($lines, $before)
    foreach ($line in $lines) {
      $word = $before + $line[0]
      if (-not $word.StartsWith($wordToComplete, [StringComparison]::OrdinalIgnoreCase)) { continue }
      $meaning = if ($line.Count -gt 1 -and $line[-1]) { $line[-1] } else { $line[0] }
      [System.Management.Automation.CompletionResult]::new($word, $line[0], 'ParameterValue', $meaning)
    }
  }
  # Where nothing is offered, PowerShell offers files itself.
  $source = {
    param($takes, $before)
    $kind, $which = "$takes" -split ':', 2
    # Several values stand behind one another with commas.
    $value = $wordToComplete.Substring([Math]::Min($before.Length, $wordToComplete.Length))
    $done = $before + $value.Substring(0, $value.LastIndexOf(',') + 1)
    switch ($kind) {
      'values' { & $offer $table.values[[int]$which] $before }
      'several' { & $offer $table.values[[int]$which] $done }
      'ask' {
        $rest = @($typed | Select-Object -Skip 1)
        $lines = & $typed[0] __complete $which '--' @rest 2>$null
        foreach ($line in $lines) { & $offer (, @($line -split "`t")) $done }
      }
    }
  }

  # The words before the one at the cursor.
  $typed = @(
    $commandAst.CommandElements |
      Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
      ForEach-Object { $_.Extent.Text.Trim('"', "'") }
  )
  $path = ''; $count = 0; $takes = ''; $ended = $false
  $entry = & $entryOf ''
  foreach ($word in @($typed | Select-Object -Skip 1)) {
    if ($takes) { $takes = '' }
    elseif (-not $ended -and $word -eq '--') { $ended = $true }
    elseif (-not $ended -and $word -like '-?*') {
      if ($word -notlike '*=*') { $takes = & $takesOf $entry $word }
    }
    elseif ($count -eq 0 -and @($entry.words | Where-Object { $_[0] -ceq $word }).Count -gt 0) {
      $path = "$path $word".Trim()
      $entry = & $entryOf $path
    }
    else { $count++ }
  }

  if ($takes) { & $source $takes '' }
  elseif (-not $ended -and $wordToComplete -like '--*=*') {
    $flag = $wordToComplete.Substring(0, $wordToComplete.IndexOf('='))
    & $source (& $takesOf $entry $flag) "$flag="
  }
  elseif (-not $ended -and $wordToComplete -like '-*') {
    foreach ($set in @($entry.sets) + @(0)) { & $offer $table.sets[$set] '' }
  }
  elseif ($count -eq 0 -and $entry.words.Count -gt 0) { & $offer $entry.words '' }
  else {
    $places = @($entry.places)
    if ($entry.goesOn -and $count -ge $places.Count) { $count = $places.Count - 1 }
    if ($count -lt $places.Count) { & $source $places[$count] '' }
  }
}

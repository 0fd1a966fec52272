#!/usr/bin/env node
// CommonJS, as package.json beside it says: Node starts it some milliseconds sooner.
require('../dist/main.js');

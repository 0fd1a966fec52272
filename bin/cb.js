#!/usr/bin/env node
// CommonJS, as package.json beside it says: Node starts it some milliseconds sooner.
const { join } = require('node:path');
require('../dist/loader.js').loadFrom(join(__dirname, '../dist/'), require)('./main.js');

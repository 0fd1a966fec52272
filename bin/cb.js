#!/usr/bin/env node
// CommonJS, as set in package.json beside it, because Node starts it a few milliseconds faster.
require('../dist/main.js');

/**
 * Restricts a Node process and its child processes to loopback: a connection, a lookup,
 * or a datagram to any other host fails with the code ENOTLOOPBACK before a packet is sent.
 *
 * Use: `node --require ./test/support/loopback-only.cjs …`. CommonJS, as required by --require.
 */
const dgram = require('node:dgram');
const dns = require('node:dns');
const { syncBuiltinESMExports } = require('node:module');
const net = require('node:net');
const { changeChildEnvironment } = require('./child-environment.cjs');

const loopback = new net.BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

function isLoopback(host) {
  const name = String(host).replace(/%.*$/, '');
  const family = net.isIP(name);
  return family === 0
    ? name.toLowerCase() === 'localhost'
    : loopback.check(name, family === 6 ? 'ipv6' : 'ipv4');
}

function refusal(what) {
  return Object.assign(new Error(`Blocked by the tests: ${what} is not on loopback`), {
    code: 'ENOTLOOPBACK',
  });
}

/** Replaces `owner[name]` by `wrap(original)`. */
function patch(owner, name, wrap) {
  const original = owner[name];
  if (typeof original === 'function') owner[name] = wrap(original);
}

function guardConnections() {
  patch(
    net.Socket.prototype,
    'connect',
    (connect) =>
      function (...args) {
        // Node calls this with its own arguments already normalized into one array.
        const given = Array.isArray(args[0]) ? args[0] : args;
        const [first, second] = given;
        const options = typeof first === 'object' && first !== null ? first : {};
        const isPipe = options.path ?? (typeof first === 'string' && Number.isNaN(Number(first)));
        if (isPipe) return connect.apply(this, args);
        const host = options.host ?? (typeof second === 'string' ? second : 'localhost');
        if (!isLoopback(host)) return connect.call(this, { port: 1, ...nowhere(host) });
        if (options.lookup) given[0] = { ...options, lookup: guardLookup(options.lookup) };
        return connect.apply(this, args);
      },
  );
}

/** A host whose lookup fails, so that the socket fails as usual, after its listeners are set. */
function nowhere(host) {
  const lookup = (_name, _options, callback) => process.nextTick(callback, refusal(host));
  return { host: 'blocked.invalid', lookup };
}

/** A custom lookup function can return any address, so its result must be loopback too. */
function guardLookup(lookup) {
  return (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const stray = error ? undefined : addresses.find((address) => !isLoopback(address));
      return stray ? callback(refusal(stray)) : callback(error, found, family);
    });
}

/** Looking up an address or localhost sends no packet; anything else queries a server. */
function guardNames() {
  const isLocal = (name) => net.isIP(String(name)) !== 0 || isLoopback(name);
  const withCallback = (allowed) => (original) =>
    function (name, ...rest) {
      if (allowed(name)) return original.call(this, name, ...rest);
      process.nextTick(rest.at(-1), refusal(name));
    };
  const withPromise = (allowed) => (original) =>
    function (name, ...rest) {
      return allowed(name) ? original.call(this, name, ...rest) : Promise.reject(refusal(name));
    };
  const isQuery = (name) => /^(resolve|reverse)/.test(name);
  const never = () => false;
  patch(dns, 'lookup', withCallback(isLocal));
  patch(dns, 'lookupService', withCallback(isLoopback));
  patch(dns.promises, 'lookup', withPromise(isLocal));
  patch(dns.promises, 'lookupService', withPromise(isLoopback));
  const owners = [
    [dns, withCallback],
    [dns.Resolver.prototype, withCallback],
    [dns.promises, withPromise],
    [dns.promises.Resolver.prototype, withPromise],
  ];
  for (const [owner, refuse] of owners) {
    for (const name of propertyNames(owner).filter(isQuery)) patch(owner, name, refuse(never));
  }
}

/** Own and inherited methods, since the query methods of a resolver are on its base class. */
function propertyNames(owner) {
  const names = new Set();
  for (let at = owner; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names];
}

function guardDatagrams() {
  const refuseStray = (original) =>
    function (...args) {
      // The first argument of send is the message; of the others only the address is text.
      const address = args.slice(1).find((arg) => typeof arg === 'string');
      if (address === undefined || isLoopback(address)) return original.apply(this, args);
      throw refusal(address);
    };
  patch(dgram.Socket.prototype, 'send', refuseStray);
  patch(dgram.Socket.prototype, 'connect', refuseStray);
  const refuseGroup = () => (group) => {
    throw refusal(group);
  };
  patch(dgram.Socket.prototype, 'addMembership', refuseGroup);
  patch(dgram.Socket.prototype, 'addSourceSpecificMembership', refuseGroup);
}

/** The options that make a Node process load this file before anything else. */
function withGuard(nodeOptions = '') {
  return nodeOptions.includes(__filename)
    ? nodeOptions
    : `${nodeOptions} --require ${JSON.stringify(__filename)}`.trim();
}

/** Keeps the guard also if a test sets the environment of a program. */
function guardChildren() {
  const guarded = (env) => ({ ...env, NODE_OPTIONS: withGuard(env.NODE_OPTIONS) });
  process.env.NODE_OPTIONS = withGuard(process.env.NODE_OPTIONS);
  changeChildEnvironment(guarded);
}

const installed = Symbol.for('clickbank-cli.loopback-only');
if (!globalThis[installed]) {
  globalThis[installed] = true;
  guardConnections();
  guardNames();
  guardDatagrams();
  guardChildren();
  syncBuiltinESMExports();
}

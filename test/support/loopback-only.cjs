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

function guardConnections() {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...args) {
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
  };
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
function isLocal(method, host) {
  if (method === 'lookup') return net.isIP(String(host)) !== 0 || isLoopback(host);
  return method === 'lookupService' && isLoopback(host);
}

function guardNames() {
  const withCallback = [dns, dns.Resolver.prototype];
  const withPromise = [dns.promises, dns.promises.Resolver.prototype];
  for (const owner of [...withCallback, ...withPromise]) {
    for (const name of propertyNames(owner)) {
      if (!/^(lookup|resolve|reverse)/.test(name)) continue;
      const original = owner[name];
      owner[name] = function (host, ...rest) {
        if (isLocal(name, host)) return original.call(this, host, ...rest);
        if (withPromise.includes(owner)) return Promise.reject(refusal(host));
        process.nextTick(rest.at(-1), refusal(host));
      };
    }
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
  const socket = dgram.Socket.prototype;
  for (const name of ['send', 'connect']) {
    const original = socket[name];
    socket[name] = function (...args) {
      // The first argument of send is the message; of the others only the address is text.
      const address = args.slice(1).find((arg) => typeof arg === 'string');
      if (address === undefined || isLoopback(address)) return original.apply(this, args);
      throw refusal(address);
    };
  }
  socket.addMembership = socket.addSourceSpecificMembership = (group) => {
    throw refusal(group);
  };
}

/** The options that make a Node process load this file before anything else. */
function withGuard(nodeOptions = '') {
  return nodeOptions.includes(__filename)
    ? nodeOptions
    : `${nodeOptions} --require ${JSON.stringify(__filename)}`.trim();
}

const installed = Symbol.for('clickbank-cli.loopback-only');
if (!globalThis[installed]) {
  globalThis[installed] = true;
  guardConnections();
  guardNames();
  guardDatagrams();
  process.env.NODE_OPTIONS = withGuard(process.env.NODE_OPTIONS);
  // Also if a test sets the environment of a program.
  changeChildEnvironment((env) => ({ ...env, NODE_OPTIONS: withGuard(env.NODE_OPTIONS) }));
  syncBuiltinESMExports();
}

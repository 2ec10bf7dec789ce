// In the place of undici's client for HTTP/2, which reads node:http2 at each start: connections offer HTTP/1.1 alone.
module.exports = () => {
  throw new Error('HTTP/2 is not offered, so no server can choose it');
};

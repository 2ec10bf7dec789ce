// In the place of node:http, of which undici's client reads a number: the limit of the bytes of header fields, which an option of
// Node sets.
module.exports = {
  get maxHeaderSize() {
    const options = `${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS}`;
    return /max.http.header.size/.test(options) ? require('node:http').maxHeaderSize : 16_384;
  },
};

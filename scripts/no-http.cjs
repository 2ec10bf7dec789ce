// In the place of node:http, of which undici's client reads a number: Node's limit of the bytes of header fields.
module.exports = { maxHeaderSize: 16_384 };

// What signs requests to S3 as a file of its own, which only a stack with its state in a bucket loads.
module.exports = require('aws4fetch');

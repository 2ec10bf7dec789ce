// The database client as a file of its own, which only a stack with its state in PostgreSQL loads.
module.exports = require('pg/lib/client.js');

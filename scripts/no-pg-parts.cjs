// In place of packages whose code pg loads and sluice never uses: all values are read as texts, no URL is given to it and no
// password looked for in ~/.pgpass, and it runs on Node.
exports.getTypeParser = () => String;

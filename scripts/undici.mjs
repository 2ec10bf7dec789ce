// What the program uses of undici. Its index also makes `fetch`, web sockets, caches and mocks, which cost as much at
// each start as everything else together; tests and the library use the whole.
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import buildConnector from 'undici/lib/core/connect.js';
import errors from 'undici/lib/core/errors.js';
import DecoratorHandler from 'undici/lib/handler/decorator-handler.js';
import request from 'undici/lib/api/api-request.js';

Dispatcher.prototype.request = request;

export { Agent, buildConnector, DecoratorHandler, Dispatcher, errors };

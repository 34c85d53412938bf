export { startFaultServer, type FaultServer, type ServedRequest, type ServerAction } from './fault-server.ts';

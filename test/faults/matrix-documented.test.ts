import { testMatrixSample } from './matrix-sample.ts';

testMatrixSample('documented');

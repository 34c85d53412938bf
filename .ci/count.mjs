// The last line of CI: how many tests passed, failed and were skipped, from the result file of the test runner.
import { readFileSync } from 'node:fs';

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numFailedTestSuites, testResults } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
);
// A file that could not be loaded has failed although none of its tests ran.
const broken = testResults.filter(file => file.status === 'failed' && file.assertionResults.length === 0).length;
const failed = numFailedTests + broken;
if (failed === 0 && numFailedTestSuites > 0) throw new Error('a test file failed, but none of its tests');
console.log(`${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped`);

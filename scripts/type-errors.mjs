// A rule for ESLint: reports what tsc would, from the types that the other rules need as well. A second check would take as long again.
import ts from 'typescript';

export const typeErrors = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const { program } = context.sourceCode.parserServices;
    return {
      Program(node) {
        const file = program.getSourceFile(context.filename);
        const found = [
          ...program.getConfigFileParsingDiagnostics(),
          ...program.getOptionsDiagnostics(),
          ...program.getGlobalDiagnostics(),
          ...program.getSyntacticDiagnostics(file),
          ...program.getSemanticDiagnostics(file),
        ];
        for (const { code, messageText, start } of found) {
          const message = `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
          // What is wrong with the project has no place in the file.
          if (start === undefined) context.report({ node, message });
          else context.report({ loc: context.sourceCode.getLocFromIndex(start), message });
        }
      },
    };
  },
};

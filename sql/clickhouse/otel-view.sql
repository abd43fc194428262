-- The pass table of capfit (pass-table.sql) as a view over the traces table of the OpenTelemetry collector's ClickHouse exporter.
-- What it expects, what each column is made of and what it cannot know: docs/clickhouse-views.md.
--
-- To change: the name of the view in the next line; the table name and the filters behind it (search for CHANGE).
CREATE OR REPLACE VIEW capfit_otel AS
WITH
    -- CHANGE: the attribute, on any span of a trace, in which a program of yours says whether the work was done (true, passed,
    -- 1; false, failed, 0). Spans know none by themselves: with '' here no run is verified.
    '' AS check_attribute,
    -- CHANGE: names under which evaluations (gen_ai.evaluation.result events) are somebody's word on the whole run.
    ['pass', 'passed', 'tests_passed', 'test_passed', 'unit_tests', 'check', 'check_passed', 'verified', 'resolved', 'exact_match', 'reward',
        'success', 'successful', 'succeeded', 'task_success', 'correct', 'is_correct', 'correctness', 'solved', 'task_completed',
        'task_completion', 'goal_achieved', 'goal_completion'] AS verdict_names,
    1 AS pass_mark,
    0 AS one_root,  -- a span whose parent is missing is a top of its own
    -- Kinds: 0 other, 1 model call, 2 tool, 3 guard, 4 judge, 5 agent, 6 chain; 255 is not said.
    word -> transform(upper(word), ['LLM', 'GENERATION', 'TOOL', 'AGENT', 'CHAIN', 'WORKFLOW', 'TASK', 'GUARDRAIL', 'EVALUATOR', 'EMBEDDING', 'RETRIEVER',
        'RERANKER', 'PROMPT'], [1, 1, 2, 5, 6, 6, 6, 3, 4, 0, 0, 0, 0], 255) AS kind_of_word,
    word -> transform(word, ['chat', 'text_completion', 'generate_content', 'execute_tool', 'invoke_agent', 'invoke_workflow', 'agent_step', 'create_agent',
        'embeddings', 'retrieval'], [1, 1, 1, 2, 5, 6, 6, 0, 0, 0], 255) AS kind_of_operation,
    word -> transform(word, ['chat', 'completion', 'embedding', 'rerank'], [1, 1, 0, 0], 255) AS kind_of_request,
    nanos -> intDiv(nanos, 1000) + (nanos % 1000 > 500 OR (nanos % 1000 = 500 AND intDiv(nanos, 1000) % 2 = 1)) AS micros_of,
    (attributes, names) -> arrayFirst(w -> w != '', arrayMap(n -> attributes[n], names)) AS first_word,
    (attributes, names) -> arrayFirst(n -> n IS NOT NULL, arrayMap(n -> multiIf(
        match(attributes[n], '^\\d{1,18}$'), toInt64OrNull(attributes[n]),
        match(attributes[n], '^\\d[\\d.]*(?:[eE][+-]?\\d+)?$') AND floor(toFloat64OrZero(attributes[n])) = toFloat64OrZero(attributes[n])
            AND toFloat64OrZero(attributes[n]) < 9e15, toInt64(toFloat64OrZero(attributes[n])),
        NULL), names)) AS first_count,
    -- Messages that are spread over numbered attributes: the paths, in order, of those with a field.
    (attributes, pattern) -> arrayMap(x -> x.2, arraySort(arrayMap(k -> tuple(arrayMap(n -> toUInt32OrZero(n), extractAll(k, '\\.(\\d+)(?:\\.|$)')), k),
        arrayFilter(k -> match(k, pattern), mapKeys(attributes))))) AS numbered,
    -- What a word of yes or no says: 1, 0, or NULL when it says neither.
    word -> multiIf(match(lower(trimBoth(word)), '^(?:true|yes|y|pass|passed|correct|success|succeeded|resolved)$'), 1,
        match(lower(trimBoth(word)), '^(?:false|no|n|fail|failed|incorrect|failure|unresolved)$'), 0, NULL) AS says,
    -- The class of error that a message names.
    message -> multiIf(
        match(extract(leftUTF8(replaceRegexpOne(message, '^\\s+', ''), 2000), '^(?:[A-Za-z_$][\\w$]*[.:/])*([A-Z][A-Za-z0-9_$]*)(?:$|[\\s:(\'"])'),
            '(?:Error|Exception|Exceeded|Interrupt|Timeout|Warning|Cancelled|Canceled|Exit)$'),
        extract(leftUTF8(replaceRegexpOne(message, '^\\s+', ''), 2000), '^(?:[A-Za-z_$][\\w$]*[.:/])*([A-Z][A-Za-z0-9_$]*)(?:$|[\\s:(\'"])'),
        extract(leftUTF8(replaceRegexpOne(message, '^\\s+', ''), 2000), '\\b[A-Z][A-Za-z0-9]*(?:Error|Exception|Exceeded)\\b')) AS error_class,
    -- Words for the limits of a policy.
    ['budget_iterations', 'max_steps', 'step_budget', 'max_turns', 'error_max_turns', 'max_iterations', 'iteration_limit', 'turn_limit',
        'max_steps_error', 'maxiterationsreached', 'limitturns', 'step_limit', 'turn', 'call_limit', 'maxturnsexceeded', 'maxstepsexceeded',
        'maxiterationsexceeded', 'agentmaxstepserror'] AS words_of_passes,
    ['budget_steps', 'graphrecursionerror', 'graph_recursion_limit', 'recursion_limit'] AS words_of_steps,
    ['budget_tokens', 'token_budget', 'budget_exceeded', 'token_limit', 'token', 'limittotaltokens', 'limitoutputtokens'] AS words_of_tokens,
    ['cost_budget', 'exit_cost', 'cost_limit', 'cost', 'error_max_budget_usd', 'budget_exhausted', 'maxbudgetreached'] AS words_of_usd,
    ['wall_clock', 'budget_timeout', 'timeout', 'agent_timeout', 'agenttimeouterror', 'time_limit', 'time', 'timeexceeded',
        'exit_total_execution_time', 'working_limit', 'working'] AS words_of_seconds,
    ['repeat_loop', 'no_progress', 'agentstuckinlooperror', 'loop_detected', 'doom_loop'] AS words_of_repeats,
    word -> multiIf(has(words_of_passes, word), 'passes', has(words_of_steps, word), 'steps', has(words_of_tokens, word), 'tokens',
        has(words_of_usd, word), 'usd', has(words_of_seconds, word), 'seconds', has(words_of_repeats, word), 'repeats', '') AS limit_of_word,
    -- Tool calls in the messages of models.
    kind -> match(kind, '^(?:tool.result|tool.call.response|function_call_output)$') AS is_result_type,
    v -> multiIf(JSONExtractString(v, 'function', 'name') != '', JSONExtractString(v, 'function', 'name'),
        JSONExtractString(v, 'name') != '', JSONExtractString(v, 'name'), JSONExtractString(v, 'toolName')) AS call_name,
    v -> NOT is_result_type(JSONExtractString(v, 'type')) AND call_name(v) != ''
        AND (JSONExtractString(v, 'type') IN ('tool_use', 'tool_call', 'tool-call', 'function_call') OR JSONHas(v, 'toolCallId') OR JSONHas(v, 'args')
            OR (JSONHas(v, 'function', 'arguments') AND JSONHas(v, 'function', 'name'))) AS is_call,
    parts -> arrayFilter(x -> x.1 != '' AND x.2 != '', arrayMap(p -> tuple(
        arrayFirst(i -> i != '', [JSONExtractString(p, 'tool_call_id'), JSONExtractString(p, 'tool_use_id'), JSONExtractString(p, 'toolCallId'),
            JSONExtractString(p, 'call_id'), if(is_result_type(JSONExtractString(p, 'type')), JSONExtractString(p, 'id'), '')]),
        arrayFirst(r -> r NOT IN ('', 'null'), [JSONExtractRaw(p, 'content'), JSONExtractRaw(p, 'output'), JSONExtractRaw(p, 'result'), JSONExtractRaw(p, 'response')])),
        arrayFilter(p -> startsWith(p, '{'), parts))) AS answer_in,
    -- One spelling: texts without needless escapes, short numbers by their value, no white space before the colon of a key.
    text -> replaceAll(toJSONString(text), '\\/', '/') AS json_text,
    p -> multiIf(
        startsWith(p, '"') AND position(p, '\\') > 0, concat(json_text(JSONExtractString(if(endsWith(p, ':'), replaceRegexpOne(p, '\\s*:$', ''), p))), if(endsWith(p, ':'), ':', '')),
        endsWith(p, ':'), replaceRegexpOne(p, '\\s+:$', ':'),
        match(p, '^-?\\d.*[.eE]') AND length(p) < 17, toString(toFloat64OrZero(p)), p) AS spelled,
    (frame, v) -> if(endsWith(frame[-1], ':'), arrayPushBack(arrayPopBack(frame), concat(frame[-1], v)), arrayPushBack(frame, v)) AS attached,
    text -> hex(sipHash128(text)) AS digest_of,

observed AS
(
    SELECT TraceId, SpanId, ParentSpanId, toString(SpanName) AS span_name, toString(ServiceName) AS service_name,
        CAST(SpanAttributes, 'Map(String, String)') AS a,
        toUnixTimestamp64Nano(Timestamp) AS start_nanos, toInt64(Duration) AS nanos, upper(StatusCode) AS status_word, StatusMessage,
        arrayMap(x -> toString(x), `Events.Name`) AS event_names,
        arrayMap(x -> CAST(x, 'Map(String, String)'), `Events.Attributes`) AS event_attributes
    FROM otel_traces              -- CHANGE: database.otel_traces
    WHERE TraceId != ''
    --  AND Timestamp >= toDateTime64('2026-11-01 00:00:00', 9)
    --  AND ServiceName = '…'
    --  Only traces of agents, where other services write into the same table:
    --  AND TraceId IN (SELECT TraceId FROM otel_traces WHERE arrayExists(k -> match(k, '^(?:gen_ai|llm|ai)[.]'), mapKeys(SpanAttributes)))
),
kinded AS
(
    SELECT *,
        if(a['ai.operationId'] != '', a['ai.operationId'], span_name) AS operation,
        multiIf(match(operation, '^ai\\.(?:generate|stream)(?:Text|Object)(?:\\.do(?:Generate|Stream))?$'), 1, operation = 'ai.toolCall', 2,
            arrayFirst(k -> k != 255, [kind_of_word(a['openinference.span.kind']), kind_of_operation(a['gen_ai.operation.name']),
                kind_of_word(a['traceloop.span.kind']), kind_of_word(a['langfuse.observation.type']), kind_of_request(a['llm.request.type']),
                multiIf(arrayExists(n -> mapContains(a, n), ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name']), 2,
                    mapContains(a, 'agent_name'), 5,
                    arrayExists(n -> mapContains(a, n), ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'gen_ai.usage.output_tokens',
                        'gen_ai.usage.completion_tokens', 'llm.token_count.prompt', 'llm.token_count.completion', 'llm.usage.prompt_tokens']), 1, 0)])) AS kind_code,
        nullIf(first_count(a, ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt', 'ai.usage.inputTokens',
            'ai.usage.inputTokens.total', 'ai.usage.promptTokens', 'llm.usage.prompt_tokens']), 0) AS told_input,
        first_count(a, ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion', 'ai.usage.outputTokens',
            'ai.usage.outputTokens.total', 'ai.usage.completionTokens', 'llm.usage.completion_tokens']) AS told_output,
        nullIf(first_count(a, ['gen_ai.usage.total_tokens', 'llm.token_count.total', 'ai.usage.totalTokens', 'llm.usage.total_tokens']), 0) AS told_total,
        first_count(a, ['gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_read_input_tokens', 'gen_ai.usage.input_tokens.cached',
            'gen_ai.usage.details.cache_read_tokens', 'llm.token_count.prompt_details.cache_read', 'ai.usage.inputTokenDetails.cacheReadTokens',
            'ai.usage.inputTokens.cacheRead', 'ai.usage.cachedInputTokens']) AS cache_read,
        first_count(a, ['gen_ai.usage.cache_creation.input_tokens', 'gen_ai.usage.cache_creation_input_tokens', 'gen_ai.usage.cache_write_input_tokens',
            'gen_ai.usage.details.cache_write_tokens', 'llm.token_count.prompt_details.cache_write', 'ai.usage.inputTokenDetails.cacheWriteTokens',
            'ai.usage.inputTokens.cacheWrite']) AS cache_write,
        -- Anthropic's own figures, where the Vercel AI SDK keeps them: prompt tokens without the cached ones.
        JSONExtractRaw(a['ai.response.providerMetadata'], 'anthropic', 'usage') AS anthropic,
        JSONType(anthropic, 'input_tokens') IN ('Int64', 'UInt64') AND ifNull(toInt64(JSONExtractInt(anthropic, 'input_tokens')) = told_input, 0) AS is_beside,
        arrayFirst(x -> ifNull(x > 0, 0), arrayMap(n -> if(match(a[n], '^\\d[\\d.]*(?:[eE][+-]?\\d+)?$'),
            roundBankers(toDecimal256OrNull(a[n], 40) * toDecimal256(1000000000, 0)), NULL), ['llm.cost.total', 'gen_ai.usage.cost', 'operation.cost'])) AS dollars
    FROM observed
),
spans AS
(
    SELECT TraceId AS run_key, TraceId AS run_id, SpanId AS id, ParentSpanId AS parent, nanos AS version, start_nanos AS twin,
        toUInt8(kind_code) AS kind,
        toInt64(micros_of(start_nanos)) AS start,
        if(start_nanos + nanos <= 0, NULL, toInt64(micros_of(start_nanos + nanos))) AS end,
        span_name AS name,
        if(kind = 1, first_word(a, ['gen_ai.response.model', 'llm.response.model_name', 'ai.response.model', 'gen_ai.request.model', 'llm.model_name',
            'llm.request.model_name', 'ai.model.id']), '') AS model,
        if(kind = 0 OR (told_input IS NULL AND ifNull(told_output, 0) = 0), [], [CAST(
            tuple(told_input, told_output, if(is_beside, NULL, told_total),
                ifNull(cache_read, 0) + coalesce(cache_write, if(JSONHas(anthropic, 'cache_creation_input_tokens'), toInt64(JSONExtractInt(anthropic, 'cache_creation_input_tokens')), 0)),
                0, 0, NOT is_beside),
            'Tuple(input Nullable(Int64), output Nullable(Int64), total Nullable(Int64), in_parts Int64, out_parts Int64, others Int64, inside UInt8)')]) AS buckets,
        if(kind = 0 OR dollars IS NULL OR dollars = 0, NULL, toInt64(dollars) * 1000) AS pico,
        arrayFirst(w -> w != '', [first_word(a, ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'traceloop.entity.name']), span_name, 'unnamed tool']) AS tool,
        if(kind = 2, nullIf(first_word(a, ['gen_ai.tool.call.arguments', 'ai.toolCall.args', 'tool_arguments', 'input.value', 'traceloop.entity.input']), ''), NULL) AS args,
        if(kind = 2, nullIf(first_word(a, ['gen_ai.tool.call.result', 'ai.toolCall.result', 'tool_response', 'output.value', 'traceloop.entity.output']), ''), NULL) AS result,
        match(status_word, '^(?:STATUS_CODE_)?OK$') AS is_ok,
        NOT is_ok AND (a['error.type'] != '' OR match(status_word, '^(?:STATUS_CODE_)?ERROR$')) AS is_failed,
        toInt8(multiIf(is_ok, 0, is_failed, 1, -1)) AS failed,
        arrayLast(x -> 1, arrayMap((n, e) -> e['exception.type'], arrayFilter(n -> n = 'exception', event_names),
            arrayFilter((e, n) -> n = 'exception', event_attributes, event_names))) AS thrown,
        multiIf(NOT is_failed, '', a['error.type'] != '', a['error.type'], thrown != '', thrown, error_class(StatusMessage)) AS error,
        first_word(a, ['gen_ai.agent.name', 'agent.name', 'agent_name', 'ai.telemetry.functionId']) AS agent,
        a['gen_ai.response.finish_reasons'] AS reasons,
        multiIf(kind != 1, '',
            startsWith(reasons, '[') AND JSONExtractString(reasons, -1) != '', JSONExtractString(reasons, -1),
            reasons != '' AND reasons != '[]', replaceRegexpAll(reasons, '^\\["?|"?\\]$', ''),
            first_word(a, ['ai.response.finishReason', 'llm.finish_reason'])) AS finish,
        if(kind = 1, arrayFilter(t -> t != '', arrayMap(n -> a[n], ['gen_ai.output.messages', 'ai.response.toolCalls'])), []) AS answers,
        if(kind = 1, arrayFilter(t -> t != '', arrayMap(n -> a[n], ['gen_ai.input.messages', 'ai.prompt.messages'])), []) AS prompts,
        if(kind != 1, [], arrayMap(k -> tuple(
            a[concat(replaceRegexpOne(k, '(?:\\.function)?\\.name$', ''), '.id')], if(a[k] = '', 'unnamed tool', a[k]),
            toJSONString(a[replaceRegexpOne(k, 'name$', 'arguments')])),
            numbered(a, '^(?:llm\\.output_messages\\.\\d+\\.message\\.tool_calls\\.\\d+\\.tool_call\\.function|gen_ai\\.completion\\.\\d+\\.tool_calls\\.\\d+)\\.name$'))) AS spread_calls,
        arrayMap(r -> tuple(r.1, r.2, if(r.3 = '""', '', r.3)), spread_calls) AS named_calls,
        if(kind != 1, [], numbered(a, '^(?:llm\\.input_messages\\.\\d+\\.message|gen_ai\\.prompt\\.\\d+)\\.role$')) AS roles,
        arrayFilter(x -> x.1 != '' AND x.2 != '""', arrayMap(k -> tuple(a[replaceRegexpOne(k, 'role$', 'tool_call_id')],
            toJSONString(a[replaceRegexpOne(k, 'role$', 'content')])), arraySlice(roles, arrayLastIndex(k -> a[k] != 'tool', roles) + 1))) AS named_answers,
        first_word(a, ['session.id', 'gen_ai.conversation.id', 'langfuse.session.id', 'traceloop.association.properties.session_id']) AS session,
        first_word(a, ['task_id', 'task.id', 'metadata.task_id', 'ai.telemetry.metadata.task_id', 'ai.telemetry.metadata.taskId']) AS task,
        if(startsWith(service_name, 'unknown_service'), '', service_name) AS service,
        arrayMap(v -> tuple(toUInt8(assumeNotNull(v.1)), v.2), arrayFilter(v -> v.1 IS NOT NULL, arrayConcat(
            [tuple(coalesce(if(check_attribute = '', NULL, says(a[check_attribute])), if(check_attribute = '', NULL, toFloat64OrNull(a[check_attribute]) >= pass_mark)), toUInt8(1))],
            arrayMap(e -> tuple(coalesce(if(isFinite(toFloat64OrNull(e['gen_ai.evaluation.score.value'])), toFloat64OrNull(e['gen_ai.evaluation.score.value']) >= pass_mark, NULL),
                    says(e['gen_ai.evaluation.score.value']), says(e['gen_ai.evaluation.score.label'])), toUInt8(0)),
                arrayFilter((e, n) -> n = 'gen_ai.evaluation.result' AND has(verdict_names, replaceRegexpAll(lower(trimBoth(e['gen_ai.evaluation.name'])), '[\\s-]+', '_')),
                    event_attributes, event_names))))) AS verdicts
    FROM kinded
),

-- From here on both views are alike, word for word: spans become runs.
-- kind: 0 other, 1 model call, 2 tool, 3 guard, 4 judge, 5 agent, 6 chain. 2 and 3 open a scope: what they hold is their own.

-- Tokens: whether the named parts stand inside input and output or beside them, by whichever reading adds up to the total.
weighed AS
(
    SELECT *,
        arrayMap(b -> tuple(b, arrayFilter(
            r -> (r.1 = b.in_parts OR b.in_parts <= ifNull(b.input, 0)) AND (r.2 = b.out_parts OR b.out_parts <= ifNull(b.output, 0)),
            if(b.inside,
                [tuple(toInt64(0), toInt64(0)), tuple(b.in_parts, toInt64(0)), tuple(toInt64(0), b.out_parts), tuple(b.in_parts, b.out_parts)],
                [tuple(b.in_parts, b.out_parts), tuple(b.in_parts, toInt64(0)), tuple(toInt64(0), b.out_parts), tuple(toInt64(0), toInt64(0))]))),
            buckets) AS readings
    FROM spans
),
decided AS
(
    SELECT *,
        arrayMap(x -> tuple(x.1, arrayConcat(
            arrayFilter(r -> ifNull(x.1.input + x.1.output + r.1 + r.2 = x.1.total, 0), x.2), x.2)[1]), readings) AS choices
    FROM weighed
),
summed AS
(
    SELECT *,
        arrayMap(x -> tuple(x.1.input + x.2.1, x.1.output + x.2.2, x.1.total, x.1.others), choices) AS sums
    FROM decided
),
metered AS
(
    SELECT *,
        arrayFirst(u -> ifNull(u.1, 0) != 0 OR ifNull(u.2, 0) != 0, arrayMap(x -> multiIf(
            x.1 IS NOT NULL AND x.2 IS NOT NULL, tuple(x.1, x.2 + if(ifNull(x.3, 0) - (x.1 + x.2) > x.4, ifNull(x.3, 0) - (x.1 + x.2), 0)),
            ifNull(x.3 - ifNull(x.1, x.2) > x.4, 0), tuple(ifNull(x.1, x.3 - x.2), ifNull(x.2, x.3 - x.1)),
            tuple(x.1, x.2)), sums)) AS usage
    FROM summed
),

-- Calls that an answer asks for, and results that the end of a prompt tells; they count where a trace has no tool spans.
opened AS
(
    SELECT *,
        arrayMap(text -> arrayFold((found, level) -> arrayFlatten(arrayMap(v -> multiIf(
                startsWith(v, '['), JSONExtractArrayRaw(v),
                NOT startsWith(v, '{'), [],
                is_call(v), [v],
                arrayConcat(
                    arrayMap(k -> concat(substring(JSONExtractRaw(v, k), 1, length(JSONExtractRaw(v, k)) - 1), ',"type":"function_call"}'),
                        arrayFilter(k -> startsWith(JSONExtractRaw(v, k), '{"'), ['function_call', 'functionCall'])),
                    arrayMap(k -> if(k = 'content' AND JSONExtractString(v, 'finish_reason') = 'tool_calls' AND startsWith(JSONExtractRaw(v, k), '"'),
                            trimLeft(JSONExtractString(v, k)), JSONExtractRaw(v, k)),
                        arrayFilter(k -> JSONHas(v, k), ['output', 'message', 'messages', 'choices', 'generations', 'candidates', 'content',
                            'parts', 'kwargs', 'tool_calls', 'toolCalls', 'additional_kwargs'])))
            ), found)), range(13), [trimLeft(text)]),
            arrayFilter(text -> match(text, 'tool|function|"args"'), answers)) AS asked_in,
        arrayMap(text -> JSONExtractArrayRaw(arrayFold((v, level) -> if(
                startsWith(v, '[[') AND JSONLength(v) = 1, JSONExtractRaw(v, 1), v), range(3),
            arrayFold((v, level) -> if(startsWith(v, '{'),
                if(JSONExtractRaw(v, 'messages') NOT IN ('', 'null'), JSONExtractRaw(v, 'messages'), JSONExtractRaw(v, 'input')), v),
                range(4), trimLeft(text)))),
            arrayFilter(text -> match(text, 'tool|call_id'), prompts)) AS prompted
    FROM metered
),
asked AS
(
    SELECT *,
        arrayFirst(x -> notEmpty(x), arrayConcat(arrayMap(calls -> arrayFilter((c, n) -> n = 1 OR c.1 = '',
                arrayMap(v -> tuple(
                    multiIf(JSONExtractString(v, 'call_id') != '', JSONExtractString(v, 'call_id'),
                        JSONExtractString(v, 'id') != '', JSONExtractString(v, 'id'), JSONExtractString(v, 'toolCallId')),
                    call_name(v),
                    arrayFirst(a -> a NOT IN ('', 'null'), [JSONExtractRaw(v, 'function', 'arguments'), JSONExtractRaw(v, 'arguments'),
                        JSONExtractRaw(v, 'args'), JSONExtractRaw(v, 'input')])), calls),
                arrayEnumerateUniq(arrayMap(v -> if(JSONExtractString(v, 'call_id') != '', JSONExtractString(v, 'call_id'),
                    if(JSONExtractString(v, 'id') != '', JSONExtractString(v, 'id'), JSONExtractString(v, 'toolCallId'))), calls))),
            arrayMap(vs -> arrayFilter(v -> startsWith(v, '{') AND is_call(v), vs), asked_in)), [named_calls])) AS requests,
        arrayMap(messages -> arrayMap(m -> arrayFirst(x -> notEmpty(x), [
                answer_in([if(JSONType(m, 'kwargs') = 'Object', JSONExtractRaw(m, 'kwargs'), m)]),
                answer_in(arrayConcat(
                    JSONExtractArrayRaw(if(JSONType(m, 'kwargs') = 'Object', JSONExtractRaw(m, 'kwargs'), m), 'content'),
                    JSONExtractArrayRaw(if(JSONType(m, 'kwargs') = 'Object', JSONExtractRaw(m, 'kwargs'), m), 'parts')))]),
            arrayFilter(m -> startsWith(m, '{') AND NOT (NOT JSONHas(m, 'tool_call_id') AND JSONExtractString(m, 'content', 'type') = 'function'),
                messages)), prompted) AS answered
    FROM opened
),

-- Digests. JSON is normalized first: no white space, sorted keys, one spelling of texts and of short numbers.
texted AS
(
    SELECT *,
        arrayFirst(x -> notEmpty(x), arrayConcat(arrayMap(
            x -> arrayFlatten(arraySlice(x, arrayLastIndex(y -> empty(y), x) + 1)), answered), [named_answers])) AS results_told,
        arrayConcat([args, result],
            arrayMap(r -> if(r.3 = '', NULL, if(startsWith(r.3, '"'), JSONExtractString(r.3), r.3)), requests),
            arrayMap(r -> if(startsWith(r.2, '"'), JSONExtractString(r.2), r.2), results_told)) AS texts
    FROM asked
),
tokens_of_text AS
(
    SELECT *,
        arrayMap(t -> if(t IS NULL OR NOT match(assumeNotNull(t), '^\\s*(?:[[{"\\d-]|true\\b|false\\b|null\\b)') OR NOT isValidJSON(assumeNotNull(t)), [],
            extractAll(assumeNotNull(t), '"(?:[^"\\\\]|\\\\.)*"\\s*:?|[{}\\[\\]]|[^"\\s,:{}\\[\\]]+')), texts) AS pieces
    FROM texted
),
digested AS
(
    SELECT *,
        arrayMap((t, ps) -> multiIf(
            t IS NULL, '',
            empty(ps), digest_of(json_text(assumeNotNull(t))),
            length(ps) > 2000, digest_of(arrayStringConcat(arrayMap(p -> spelled(p), ps), ',')),
            digest_of(arrayFold((stack, p) -> if(p IN ('{', '['), arrayPushBack(stack, [p]), arrayPushBack(
                arrayPopBack(if(p IN ('}', ']'), arrayPopBack(stack), stack)),
                attached(stack[if(p IN ('}', ']'), -2, -1)], multiIf(
                    p = '}', concat('{', arrayStringConcat(arraySort(arrayPopFront(stack[-1])), ','), '}'),
                    p = ']', concat('[', arrayStringConcat(arrayPopFront(stack[-1]), ','), ']'),
                    p)))),
                arrayMap(p -> spelled(p), ps), [['']])[1][2])), texts, pieces) AS digests
    FROM tokens_of_text
),

-- One row a trace: its spans by start and id, the newest copy of each.
gathered AS
(
    SELECT run_key, any(run_id) AS run_id,
        groupArray(CAST(tuple(id, parent, version, twin, kind, start, end, name, model, usage.1, usage.2, pico, tool, digests[1], digests[2],
            failed, error, agent, finish,
            arrayMap((r, d) -> tuple(r.1, r.2, d), requests, arraySlice(digests, 3, length(requests))),
            arrayMap((r, d) -> tuple(r.1, d), results_told, arraySlice(digests, 3 + length(requests))), session, task, service, verdicts),
            'Tuple(id String, parent String, version Int64, twin Int64, kind UInt8, start Int64, end Nullable(Int64), name String, model String,
            tokens_in Nullable(Int64), tokens_out Nullable(Int64), pico Nullable(Int64), tool String, args String, result String,
            failed Int8, error String, agent String, finish String, asked Array(Tuple(id String, tool String, args String)),
            told Array(Tuple(String, String)), session String, task String, service String, verdicts Array(Tuple(passed UInt8, program UInt8)))')) AS copies
    FROM digested
    GROUP BY run_key
),
sorted AS
(
    SELECT run_key, run_id,
        arraySort(x -> tuple(x.id, x.twin, -x.version), copies) AS by_id,
        arraySort(x -> tuple(x.start, x.id), arrayFilter((x, n) -> n = 1, by_id, arrayEnumerateUniq(tupleElement(by_id, 'id'), tupleElement(by_id, 'twin')))) AS s
    FROM gathered
    SETTINGS max_block_size = 32
),

-- The tree. A span whose parent is not there is a top; in a view of one root a trace the other tops hang under it.
parented AS
(
    SELECT run_key, run_id, s, tupleElement(s, 'kind') AS kind, arrayEnumerate(s) AS places,
        arrayMap(x -> sipHash64(x.id), s) AS keys,
        arrayMap(x -> if(x.parent IN ('', x.id), 0, sipHash64(x.parent)), s) AS parent_keys
    FROM sorted
    SETTINGS max_block_size = 32
),
topped AS
(
    SELECT run_key, run_id, s, kind, places,
        arrayMap(up -> if(up = 0, 0, indexOf(keys, up)), parent_keys) AS first_parents
    FROM parented
    SETTINGS max_block_size = 32
),
owned AS
(
    SELECT *,
        arrayFilter((i, p) -> p = 0, places, first_parents) AS first_tops,
        arrayFilter((i, p, x) -> p = 0 AND x.parent = '' AND x.kind != 4, places, first_parents, s) AS own_roots
    FROM topped
    SETTINGS max_block_size = 32
),
rooted AS
(
    SELECT run_key, run_id, s, kind, places,
        one_root AND length(first_tops) > 1 AND length(own_roots) != 1 AS has_made_root,
        if(one_root AND length(first_tops) > 1 AND length(own_roots) = 1,
            arrayMap((i, p) -> if(p = 0 AND i != own_roots[1], own_roots[1], p), places, first_parents), first_parents) AS parents,
        arrayMap((x, i) -> toUInt32(i * 128 + x.kind
            + if(x.tokens_in IS NOT NULL AND x.tokens_out IS NOT NULL, 16, 0)
            + if(x.tokens_in IS NOT NULL OR x.tokens_out IS NOT NULL, 32, 0)
            + if(x.pico IS NOT NULL, 64, 0)), s, places) AS codes
    FROM owned
    SETTINGS max_block_size = 32
),
climbed AS
(
    SELECT run_key, run_id, s, kind, places, has_made_root, codes,
        arrayFold((found, n) -> arrayMap(a -> if(empty(a), a, arrayConcat(a, found[intDiv(a[-1], 128)])), found), range(6),
            arrayMap(p -> if(p = 0, emptyArrayUInt32(), [codes[p]]), parents)) AS above
    FROM rooted
    SETTINGS max_block_size = 32
),
cut_off AS
(
    SELECT *,
        arrayMap(a -> arrayFirstIndex(c -> bitAnd(c, 15) IN (2, 3), a), above) AS cuts
    FROM climbed
    SETTINGS max_block_size = 32
),
placed AS
(
    SELECT *,
        arrayMap(a -> toUInt32(arrayCount(c -> bitAnd(c, 15) IN (2, 3), a)), above) AS depth,
        arrayMap((k, a) -> k = 4 OR arrayExists(c -> bitAnd(c, 15) = 4, a), kind, above) AS judged,
        arrayMap((a, cut) -> arrayFilter(c -> bitAnd(c, 15) = 1, if(cut = 0, a, arraySlice(a, 1, cut - 1))), above, cuts) AS holders,
        arrayMap(a -> arrayMap(c -> intDiv(c, 128), arrayFilter(c -> bitAnd(c, 15) IN (2, 3), a)), above) AS openers,
        arrayMap((c, a, cut) -> intDiv(arrayLast(m -> bitAnd(m, 16) != 0,
            arrayConcat([c], if(bitAnd(c, 15) IN (2, 3), emptyArrayUInt32(), if(cut = 0, a, arraySlice(a, 1, cut))))), 128), codes, above, cuts) AS meters,
        arrayMap((i, a) -> if(empty(a), toUInt32(i), intDiv(a[-1], 128)), places, above) AS tops
    FROM cut_off
    SETTINGS max_block_size = 32
),

-- Model calls that hold no other are passes; those that do are roll-ups of them.
leaved AS
(
    SELECT *,
        arrayDistinct(arrayFlatten(arrayFilter((h, k, j) -> k = 1 AND NOT j, holders, kind, judged))) AS roll_ups
    FROM placed
    SETTINGS max_block_size = 32
),
leafed AS
(
    SELECT *,
        arrayFilter((c, k, j) -> k = 1 AND NOT j AND NOT has(roll_ups, c), codes, kind, judged) AS leaves
    FROM leaved
    SETTINGS max_block_size = 32
),
leveled AS
(
    SELECT *,
        arrayMap(c -> has(leaves, c), codes) AS is_leaf
    FROM leafed
    SETTINGS max_block_size = 32
),
held AS
(
    SELECT *,
        if(empty(leaves), 1000000, arrayMin(arrayMap((d, l) -> if(l, d, 1000000), depth, is_leaf))) AS level,
        arrayFlatten(arrayFilter((h, l) -> l, holders, is_leaf)) AS held_by,
        arrayDistinct(arrayFlatten(arrayFilter((a, l) -> l, above, is_leaf))) AS with_calls
    FROM leveled
    SETTINGS max_block_size = 32
),
unopened AS
(
    SELECT *,
        arrayFilter(h -> countEqual(held_by, h) > 1, arrayDistinct(held_by)) AS shared,
        arrayMap((c, i, k, d, j, m, l) -> NOT l AND m = i AND NOT j AND (d > level OR (d = level AND k = 2)) AND NOT has(with_calls, c) AND level < 1000000,
            codes, places, kind, depth, judged, meters, is_leaf) AS is_unopened
    FROM held
    SETTINGS max_block_size = 32
),
figured AS
(
    SELECT *,
        arrayMap((c, h, wanted) -> if(wanted, arrayConcat([c], arrayFilter((x, n) -> n = 0, h, arrayCumSum(x -> has(shared, x), h))), emptyArrayUInt32()),
            codes, holders, arrayMap((l, u) -> l OR u, is_leaf, is_unopened)) AS chains
    FROM unopened
    SETTINGS max_block_size = 32
),
picked AS
(
    SELECT *,
        arrayMap(ch -> intDiv(if(arrayExists(c -> bitAnd(c, 16) != 0, ch), arrayFirst(c -> bitAnd(c, 16) != 0, ch), arrayFirst(c -> bitAnd(c, 32) != 0, ch)), 128), chains) AS usage_at,
        arrayMap(ch -> intDiv(arrayFirst(c -> bitAnd(c, 64) != 0, ch), 128), chains) AS pico_at
    FROM figured
    SETTINGS max_block_size = 32
),
failing AS
(
    SELECT *,
        arrayMap((x, u, p) -> x.failed = 1 AND u = 0 AND p = 0, s, usage_at, pico_at) AS is_unmetered_failure,
        tupleElement(s, 'tokens_in') AS all_in, tupleElement(s, 'tokens_out') AS all_out, tupleElement(s, 'pico') AS all_pico,
        tupleElement(s, 'start') AS starts
    FROM picked
    SETTINGS max_block_size = 32
),
passed AS
(
    SELECT *,
        arrayFilter(g -> g[-1].2, arrayReverseSplit(x -> x.2,
            arrayMap((x, i, f, u, p) -> tuple(toUInt32(i), NOT f, x.start, x.end, if(u = 0, NULL, all_in[u]), if(u = 0, NULL, all_out[u]), if(p = 0, NULL, all_pico[p]),
                x.model, x.finish, x.asked, x.told),
                arrayFilter((x, d, l) -> l AND d = level, s, depth, is_leaf), arrayFilter((x, d, l) -> l AND d = level, places, depth, is_leaf),
                arrayFilter((x, d, l) -> l AND d = level, is_unmetered_failure, depth, is_leaf),
                arrayFilter((x, d, l) -> l AND d = level, usage_at, depth, is_leaf), arrayFilter((x, d, l) -> l AND d = level, pico_at, depth, is_leaf)))) AS attempts
    FROM failing
    SETTINGS max_block_size = 32
),
started AS
(
    SELECT *,
        arrayMap(g -> g[-1].1, attempts) AS pass_places,
        arrayMap(g -> g[1].3, attempts) AS pass_starts
    FROM passed
    SETTINGS max_block_size = 32
),
assigned AS
(
    SELECT *,
        arrayMap((h, t) -> toUInt32(if(notEmpty(h) AND has(pass_places, intDiv(h[1], 128)), indexOf(pass_places, intDiv(h[1], 128)),
            if(t = 0, length(pass_starts), arrayCount(p -> p <= t, pass_starts)))), holders, starts) AS pass_of
    FROM started
    SETTINGS max_block_size = 32
),

-- Spend of sub-agents goes to the pass of the tool call that started them.
spent AS
(
    SELECT *,
        arrayFilter(x -> x.1, arrayMap((i, d, o, l, u, f, ua, pa) -> tuple((u OR (l AND d > level)) AND NOT f,
            toUInt32(greatest(1, pass_of[if(d = level, toUInt32(i), o[toUInt32(d - level)])])),
            if(ua = 0, NULL, all_in[ua]), if(ua = 0, NULL, all_out[ua]), if(pa = 0, NULL, all_pico[pa])),
            places, depth, openers, is_leaf, is_unopened, is_unmetered_failure, usage_at, pico_at)) AS extras,
        arrayExists((l, u, d) -> u OR (l AND d > level), is_leaf, is_unopened, depth) AS has_subagents,
        arraySplit(x -> x.2 = 0, arraySort(x -> tuple(x.1, x.2, x.3), arrayConcat(
            arrayMap(n -> tuple(toUInt32(n), toUInt8(0), toUInt32(0), '', '', '', toInt8(0)), arrayEnumerate(attempts)),
            arrayFilter(x -> x.1 > 0, arrayMap((x, i, p) -> tuple(p, toUInt8(1), toUInt32(i), x.tool, x.args, x.result, x.failed),
                arrayFilter((x, d, j) -> x.kind = 2 AND NOT j AND d = level, s, depth, judged),
                arrayFilter((i, x, d, j) -> x.kind = 2 AND NOT j AND d = level, places, s, depth, judged),
                arrayFilter((p, x, d, j) -> x.kind = 2 AND NOT j AND d = level, pass_of, s, depth, judged)))))) AS tool_groups,
        arrayFlatten(arrayMap(g -> g[-1].11, attempts)) AS results_told
    FROM assigned
    SETTINGS max_block_size = 32
),

-- The span that stands for the run, and how the run ended.
headed AS
(
    SELECT *,
        arrayDistinct(arrayMap((t, l) -> t, arrayFilter((t, l) -> l, tops, is_leaf), arrayFilter(l -> l, is_leaf))) AS holding,
        arrayFilter((i, a, j) -> empty(a) AND NOT j, places, above, judged) AS free_tops,
        arrayFilter((i, a, j, x) -> empty(a) AND NOT j AND (x.parent IN ('', x.id) OR one_root), places, above, judged, s) AS whole_tops,
        arrayFilter((x, a) -> empty(a), s, above) AS any_members,
        arrayFilter(x -> x.kind != 4, any_members) AS members,
        -- The order in which a tree is walked, level by level: it decides between spans that start at once.
        arrayMap((i, a, t) -> tuple(if(one_root, 0, t), length(a), arrayPushBack(arrayReverse(arrayMap(c -> intDiv(c, 128), a)), toUInt32(i))),
            places, above, tops) AS walks
    FROM spent
    SETTINGS max_block_size = 32
),
crowned AS
(
    SELECT *,
        arrayFilter(i -> has(holding, i), whole_tops) AS whole_holding,
        if(empty(members), any_members, members) AS made_of,
        multiIf(
            has_made_root, 0,
            notEmpty(whole_holding), whole_holding[-1],
            notEmpty(whole_tops), whole_tops[-1],
            length(free_tops) = 1, free_tops[1],
            length(holding) = 1 AND NOT is_leaf[holding[1]], holding[1],
            0) AS root_place
    FROM headed
    SETTINGS max_block_size = 32
),
headed_by AS
(
    SELECT *,
        root_place > 0 OR has_made_root AS has_root,
        if(has_made_root, made_of[-1], s[root_place]) AS head
    FROM crowned
    SETTINGS max_block_size = 32
),
bounded AS
(
    SELECT *,
        if(has_made_root, '', head.name) AS root_name,
        if(has_made_root, made_of[1].start, if(root_place > 0, head.start, arrayMin(starts))) AS run_start,
        if(has_made_root, if(head.end IS NULL, NULL, arrayMax(arrayMap(x -> assumeNotNull(x.end), arrayFilter(x -> x.end IS NOT NULL, made_of)))),
            if(root_place > 0, head.end, NULL)) AS root_end,
        arraySort(x -> tuple(x.2, x.1), arrayFilter(x -> x.3, arrayMap((w, x, i, d, j) -> tuple(w, x.start, x.kind = 5 AND d = 0 AND NOT j AND i != root_place, i,
            x.failed, x.error), walks, s, places, depth, judged))) AS agents,
        arraySort(x -> tuple(x.2, x.1), arrayFilter(x -> x.3, arrayMap((w, x, i, d, l) -> tuple(w, x.start, l AND (empty(attempts) OR d = level), i,
            x.failed, x.error), walks, s, places, depth, is_leaf))) AS calls_of_run
    FROM headed_by
    SETTINGS max_block_size = 32
),
spoken AS
(
    SELECT *,
        arrayConcat([tuple(head.failed, head.error, toUInt8(0))],
            if(empty(agents), [], [tuple(agents[-1].5, agents[-1].6, toUInt8(0))]),
            if(empty(calls_of_run), [], [tuple(calls_of_run[-1].5, calls_of_run[-1].6, toUInt8(has_made_root OR calls_of_run[-1].4 != root_place))])) AS speakers,
        has_root AND root_end IS NOT NULL AS has_ended,
        arrayFirst(x -> x.1 = 1 AND x.2 != '', speakers) AS namer
    FROM bounded
    SETTINGS max_block_size = 32
),
named AS
(
    SELECT *,
        has_ended AND arrayFirst(x -> x.1 != -1, speakers).1 = 1 AS has_failed,
        if(has_failed, namer.2, '') AS raw_error,
        if(raw_error = '', '', arrayLast(w -> w != '', arrayConcat([raw_error], splitByRegexp('[.:/]', raw_error)))) AS error_word,
        arrayMax(arrayMap((x, j) -> if(j, toInt64(0), ifNull(x.end, x.start)), s, judged)) AS latest,
        if(empty(attempts), NULL, attempts[-1][-1].4) AS last_leaf_end,
        if(empty(attempts), 0, attempts[-1][-1].3) AS last_leaf_start
    FROM spoken
    SETTINGS max_block_size = 32
),
limited AS
(
    SELECT *,
        if(namer.3 = 1, '', limit_of_word(lower(trimBoth(error_word)))) AS limit_reached,
        if(root_end IS NOT NULL AND (empty(attempts) OR root_end >= ifNull(last_leaf_end, pass_starts[-1])), root_end,
            if(notEmpty(attempts) AND last_leaf_end IS NULL AND latest = last_leaf_start, NULL, latest)) AS run_end
    FROM named
    SETTINGS max_block_size = 32
),
described AS
(
    SELECT *,
        multiIf(NOT has_ended, 'running', NOT has_failed, 'done_claimed', limit_reached != '', 'stopped_budget', 'halted_error') AS told_status,
        multiIf(NOT has_failed, '', limit_reached != '', limit_reached, match(error_word, '(?i)^(?:cancel|abort)'), 'canceled', error_word) AS run_reason,
        arrayFlatten(tupleElement(s, 'verdicts')) AS span_verdicts,
        arrayDistinct(arrayFilter(m -> m != '', arrayMap(g -> g[-1].8, attempts))) AS models,
        arraySort(x -> x.1, arrayFilter(x -> x.3 != '' AND (x.2 = root_place OR x.4), arrayMap((w, x, i, d) -> tuple(w, i, x.agent,
            (empty(attempts) OR d <= level) AND x.kind NOT IN (2, 3)), walks, s, places, depth))) AS named_agents,
        arrayFirst(x -> x != '', tupleElement(s, 'session')) AS session,
        arrayFirst(x -> x != '', tupleElement(s, 'task')) AS task,
        arrayFirst(x -> x != '', tupleElement(s, 'service')) AS service,
        arrayMap((g, n, from, to) -> tuple(n,
            if(arrayExists(x -> x.2 = n AND x.3 IS NULL, extras), NULL, g[-1].5 + arraySum(x -> if(x.2 = n, ifNull(x.3, 0), 0), extras)),
            if(arrayExists(x -> x.2 = n AND x.4 IS NULL, extras), NULL, g[-1].6 + arraySum(x -> if(x.2 = n, ifNull(x.4, 0), 0), extras)),
            if(from = 0 OR ifNull(to < from, 1), NULL, to - from),
            if(arrayExists(x -> x.2 = n AND x.5 IS NULL, extras), NULL, g[-1].7 + arraySum(x -> if(x.2 = n, ifNull(x.5, 0), 0), extras))),
            attempts, arrayEnumerate(attempts), pass_starts, arrayResize(arrayPushBack(arrayPopFront(arrayMap(t -> toNullable(t), pass_starts)), run_end), length(attempts))) AS figures,
        if(has(kind, 2),
            arrayMap(g -> arrayMap(x -> tuple(x.4, x.5, x.6, x.7), arrayPopFront(g)), tool_groups),
            arrayMap(g -> arrayMap(r -> tuple(r.tool, r.args, if(r.id = '', '', arrayLast(t -> t.1 = r.id, results_told).2), toInt8(-1)), g[-1].10), attempts)) AS pass_calls,
        arrayDistinct(if(empty(attempts),
            arrayMap(i -> toUInt32(i), arrayFilter((i, m, j) -> m = i AND NOT j, places, meters, judged)),
            arrayMap(i -> meters[i], pass_places))) AS run_meters
    FROM limited
    SETTINGS max_block_size = 32
),
rolled AS
(
    SELECT *,
        if(has_subagents OR empty(run_meters) OR has(run_meters, 0), NULL,
            arraySum(arrayMap(i -> assumeNotNull(all_in[i]) + assumeNotNull(all_out[i]), run_meters))) AS rolled_up
    FROM described
    SETTINGS max_block_size = 32
),
runs AS
(
    SELECT run_key, run_id, told_status, run_reason, has_ended AND NOT has_failed AND head.failed = 0 AS says_done, run_start, span_verdicts,
        arrayFilter(x -> x.2 != '', [
            tuple('root', if(has_root, root_name, '')),
            tuple('agent', named_agents[1].3),
            tuple('model', if(length(models) = 1, models[1], '')),
            tuple('finish_reason', if(empty(attempts), '', attempts[-1][-1].9)),
            tuple('session', session), tuple('task_id', task), tuple('service', service)]) AS span_labels,
        if(raw_error != run_reason, raw_error, '') AS raw_reason,
        empty(leaves) AND rolled_up IS NOT NULL AS is_not_recorded,
        if(empty(figures) OR arrayExists(f -> f.2 IS NULL OR f.3 IS NULL, figures), rolled_up, NULL) AS total_tokens,
        figures, pass_calls
    FROM rolled
    SETTINGS max_block_size = 32
),
ended AS
(
    SELECT run_id, told_status, run_reason, says_done, run_start,
        arrayConcat(span_labels, if(raw_reason = '', [], [tuple('raw_reason', raw_reason)])) AS run_labels,
        span_verdicts AS verdicts, is_not_recorded, total_tokens, figures, pass_calls
    FROM runs
    SETTINGS max_block_size = 32
),
checked AS
(
    SELECT *,
        arrayFilter(v -> v.2, verdicts) AS checks,
        arrayFilter(v -> NOT v.2, verdicts) AS opinions,
        multiIf(empty(checks), 'none', arrayAll(v -> v.1, checks), 'passed', 'failed') AS check_said,
        row_number() OVER (ORDER BY run_start, run_id) AS place
    FROM ended
)
SELECT
    toUInt64(place) AS run_order,
    run_id,
    if(told_status = 'done_claimed' AND check_said = 'passed', 'done_verified', told_status) AS status,
    check_said AS verdict,
    if(if(notEmpty(opinions), arrayAll(v -> v.1, opinions), told_status = 'done_claimed' AND says_done), 'completed', '') AS claim,
    run_reason AS reason,
    if(run_start = 0, '', formatDateTime(fromUnixTimestamp64Micro(run_start, 'UTC'), '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC')) AS started_at,
    arrayMap(l -> l.1, run_labels) AS `labels.name`,
    arrayMap(l -> l.2, run_labels) AS `labels.value`,
    CAST(NULL, 'Nullable(Int64)') AS recorded_under_passes,
    CAST(NULL, 'Nullable(Int64)') AS recorded_under_tokens,
    CAST(NULL, 'Nullable(Int64)') AS recorded_under_microseconds,
    CAST(NULL, 'Nullable(Int64)') AS recorded_under_nanodollars,
    CAST(NULL, 'Nullable(Int64)') AS recorded_under_steps,
    CAST(NULL, 'Nullable(Int64)') AS total_passes,
    CAST(total_tokens, 'Nullable(Int64)') AS total_tokens,
    CAST(NULL, 'Nullable(Int64)') AS total_microseconds,
    CAST(NULL, 'Nullable(Int64)') AS total_nanodollars,
    toUInt8(NOT is_not_recorded) AS passes_recorded,
    toUInt32(figure.1) AS pass,
    CAST(figure.2, 'Nullable(Int64)') AS input_tokens,
    CAST(figure.3, 'Nullable(Int64)') AS output_tokens,
    CAST(figure.4, 'Nullable(Int64)') AS microseconds,
    CAST(intDiv(figure.5, 1000) + (figure.5 % 1000 > 500 OR (figure.5 % 1000 = 500 AND intDiv(figure.5, 1000) % 2 = 1)), 'Nullable(Int64)') AS nanodollars,
    CAST(NULL, 'Nullable(Int64)') AS steps,
    arrayMap(c -> c.1, made) AS `calls.tool`,
    arrayMap(c -> c.2, made) AS `calls.arguments`,
    arrayMap(c -> c.3, made) AS `calls.result`,
    arrayMap(c -> c.4, made) AS `calls.failed`
FROM checked
ARRAY JOIN
    if(empty(figures), [tuple(toUInt32(0), CAST(NULL, 'Nullable(Int64)'), CAST(NULL, 'Nullable(Int64)'), CAST(NULL, 'Nullable(Int64)'), CAST(NULL, 'Nullable(Int64)'))], figures) AS figure,
    if(empty(figures), [[]], pass_calls) AS made
SETTINGS join_use_nulls = 0, max_block_size = 32;

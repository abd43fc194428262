-- The pass table of capfit (pass-table.sql) as a view over the tables of Langfuse 3: traces, observations, scores.
-- What it expects, what each column is made of and what it cannot know: docs/clickhouse-views.md.
--
-- To change: the name of the view in the next line; the three table names and the filters behind them (search for CHANGE).
CREATE OR REPLACE VIEW capfit_langfuse AS
WITH
    -- CHANGE: names of scores. The first are verdicts when your own code sent them (source API), and opinions otherwise; the
    -- second are opinions always. Names are compared in lower case, with _ for blanks and hyphens. A number passes from the mark on.
    ['pass', 'passed', 'tests_passed', 'test_passed', 'unit_tests', 'check', 'check_passed', 'verified', 'resolved', 'exact_match', 'reward'] AS test_names,
    ['success', 'successful', 'succeeded', 'task_success', 'correct', 'is_correct', 'correctness', 'solved', 'task_completed', 'task_completion',
        'goal_achieved', 'goal_completion'] AS opinion_names,
    1 AS pass_mark,
    1 AS one_root,  -- spans whose parent is missing belong under the one root: exports and deletions leave gaps
    -- Counts that are whole figures or no counts of tokens at all; what is left is parts.
    k -> k IN ('input', 'input_tokens', 'prompt_tokens', 'promptTokens', 'prompt', 'prompt_token_count', 'output', 'output_tokens', 'completion_tokens',
        'completionTokens', 'completion', 'candidates_token_count', 'total', 'total_tokens', 'totalTokens', 'total_token_count') AS is_whole,
    k -> k != '' AND NOT match(k, 'cost|price|^unit$') AS is_part,
    (found, side) -> arraySum(kind -> arrayMax(arrayMap(x -> if(x.1 = kind, x.2, 0), found)),
        arrayDistinct(arrayMap(x -> x.1, arrayFilter(x -> startsWith(x.1, side), found)))) AS sum_of,
    word -> transform(word, ['TOOL', 'tool', 'execute_tool', 'AGENT', 'invoke_agent', 'create_agent', 'GUARDRAIL', 'EVALUATOR'], [2, 2, 2, 5, 5, 5, 3, 4], 0) AS span_kind,
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
    SELECT project_id, trace_id, id, ifNull(parent_observation_id, '') AS parent, upper(type) AS type_word, start_time, end_time, name, level, event_ts,
        ifNull(status_message, '') AS message, input, output, ifNull(provided_model_name, '') AS model_name,
        [CAST(usage_details, 'Map(String, UInt64)'), CAST(provided_usage_details, 'Map(String, UInt64)')] AS usages,
        CAST(cost_details, 'Map(String, Decimal(18, 12))') AS costs, total_cost,
        tool_calls, tool_call_names,  -- CHANGE: [] AS tool_calls, [] AS tool_call_names where your Langfuse has no such columns yet
        metadata['attributes'] AS attributes,
        match(name, '\\.(?:start|success|finish|error|retry|update|partial_update|new_token)(?:-\\d+)?$') AS is_event_name
    FROM observations FINAL       -- CHANGE: database.observations
    WHERE is_deleted = 0
    --  AND project_id = '…'      -- CHANGE: one project a view: ids of traces are unique inside a project only
    --  AND start_time >= toDateTime64('2026-11-01 00:00:00', 3)
),
counted AS
(
    SELECT *,
        arrayMap(m -> tuple(m,
            arrayFirst(n -> mapContains(m, n), ['input', 'input_tokens', 'prompt_tokens', 'promptTokens', 'prompt', 'prompt_token_count']),
            arrayFirst(n -> mapContains(m, n), ['output', 'output_tokens', 'completion_tokens', 'completionTokens', 'completion', 'candidates_token_count']),
            arrayFirst(n -> mapContains(m, n), ['total', 'total_tokens', 'totalTokens', 'total_token_count']),
            -- The other counts, each by what it is a part of: i input, o output, x neither. Several names of one kind tell the same tokens.
            arrayMap((k, n) -> tuple(multiIf(
                    position(k, 'cache') > 0, if(match(k, 'creation|write'), concat('i cache write ', extract(k, '_(?:5m|1h)$')), 'i cache read'),
                    match(k, 'reasoning|thought'), 'o reasoning',
                    match(k, 'output|completion|candidates'), if(position(k, 'audio') > 0, 'o audio', concat('o ', k)),
                    match(k, 'input|prompt'), if(position(k, 'audio') > 0, 'i audio', concat('i ', k)),
                    concat('x ', k)), toInt64(n), position(k, '.') > 0),
                arrayFilter(k -> is_part(k), arrayMap(k -> if(is_whole(k), '', lower(k)), mapKeys(m))),
                arrayFilter((n, k) -> is_part(if(is_whole(k), '', lower(k))), mapValues(m), mapKeys(m)))), usages) AS kinds
    FROM observed
),
bucketed AS
(
    SELECT *,
        arrayMap(x -> CAST(tuple(
            if(x.2 = '', NULL, x.1[x.2]), if(x.3 = '', NULL, x.1[x.3]), if(x.4 = '', NULL, nullIf(x.1[x.4], 0)),
            sum_of(x.5, 'i'), sum_of(x.5, 'o'), sum_of(x.5, 'x'), arrayExists(y -> y.3, x.5)),
            'Tuple(input Nullable(Int64), output Nullable(Int64), total Nullable(Int64), in_parts Int64, out_parts Int64, others Int64, inside UInt8)'),
            kinds) AS buckets,
        arrayFirst(c -> c > 0, [costs['total'], ifNull(total_cost, 0), arraySum(mapValues(mapFilter((k, v) -> k != 'total', costs)))]) AS dollars,
        multiIf(type_word = 'GENERATION', 1, type_word = 'TOOL', 2, type_word = 'GUARDRAIL', 3, type_word = 'EVALUATOR', 4, type_word = 'AGENT', 5,
            type_word = 'CHAIN', 6, type_word != 'SPAN', 0,
            arrayFirst(k -> k != 0, [
                span_kind(JSONExtractString(attributes, 'openinference.span.kind')), span_kind(JSONExtractString(attributes, 'gen_ai.operation.name')),
                span_kind(JSONExtractString(attributes, 'langsmith.span.kind')),
                multiIf(JSONHas(attributes, 'gen_ai.tool.name'), 2, JSONHas(attributes, 'gen_ai.agent.name'), 5, 6)])) AS first_kind
    FROM counted
),
spans AS
(
    SELECT tuple(project_id, trace_id) AS run_key, trace_id AS run_id, id, parent, toUnixTimestamp64Milli(event_ts) AS version, toInt64(0) AS twin,
        -- Events of one call that carry nothing are no calls of their own.
        toUInt8(if(first_kind IN (1, 2) AND is_event_name AND input IS NULL AND output IS NULL AND dollars = 0
            AND arrayAll(b -> ifNull(b.input, 0) = 0 AND ifNull(b.output, 0) = 0, buckets), 0, first_kind)) AS kind,
        toUnixTimestamp64Micro(start_time) AS start,
        if(type_word = 'EVENT', toNullable(start), toUnixTimestamp64Micro(end_time)) AS end,
        name, buckets,
        if(kind != 1, '', if(startsWith(model_name, 'projects/'), arrayLast(w -> 1, splitByChar('/', model_name)), model_name)) AS model,
        if(dollars = 0, NULL, toInt64(dollars * 1000000000000)) AS pico,
        arrayFirst(w -> w != '', [JSONExtractString(attributes, 'gen_ai.tool.name'), JSONExtractString(attributes, 'ai.toolCall.name'),
            JSONExtractString(attributes, 'tool.name'), JSONExtractString(attributes, 'tool_name'),
            replaceRegexpOne(if(match(name, '(?s)^(?:execute_tool |running tool: ?|tool\\.).'), replaceRegexpOne(name, '^(?:execute_tool |running tool: ?|tool\\.)', ''), name),
                '\\.(?:start|success|finish|error|retry|update|partial_update|new_token)(?:-\\d+)?$', ''), 'unnamed tool']) AS tool,
        multiIf(kind != 2, NULL, input IS NOT NULL, input, nullIf(JSONExtractString(attributes, 'tool.parameters'), '')) AS args,
        if(kind = 2, output, NULL) AS result,
        toInt8(multiIf(level = 'ERROR', 1, kind = 2 AND level != '', 0, -1)) AS failed,
        if(level = 'ERROR', error_class(message), '') AS error,
        if(JSONType(attributes, 'gen_ai.agent.name') = 'String', JSONExtractString(attributes, 'gen_ai.agent.name'),
            if(JSONType(attributes, 'agent_name') = 'String', JSONExtractString(attributes, 'agent_name'), if(type_word = 'AGENT', name, ''))) AS agent_word,
        multiIf(match(agent_word, '(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-'), '',
            match(agent_word, '^(?:agent_run|invocation) \\[.+\\]$'), extract(agent_word, '^(?:agent_run|invocation) \\[(.+)\\]$'),
            match(agent_word, '^invoke_agent .+$'), extract(agent_word, '^invoke_agent (.+)$'), agent_word) AS agent,
        arrayFirst(w -> w != '', [JSONExtractString(attributes, 'ai.response.finishReason'), JSONExtractString(attributes, 'gen_ai.response.finish_reasons', 1),
            JSONExtractString(JSONExtractString(attributes, 'gen_ai.response.finish_reasons'), 1), JSONExtractString(attributes, 'gen_ai.response.finish_reasons')]) AS finish,
        if(kind = 1 AND output IS NOT NULL, [assumeNotNull(output)], []) AS answers,
        if(kind = 1 AND input IS NOT NULL, [assumeNotNull(input)], []) AS prompts,
        if(kind = 1, arrayFilter(x -> x.2 != '', arrayMap((n, c) -> tuple(JSONExtractString(c, 'id'), n,
            if(JSONExtractRaw(c, 'arguments') = 'null', '', JSONExtractRaw(c, 'arguments'))), tool_call_names,
            arrayResize(tool_calls, length(tool_call_names)))), []) AS named_calls,
        emptyArrayString() AS no_answers, arrayMap(x -> tuple(x, x), no_answers) AS named_answers,
        '' AS session, '' AS task, '' AS service, arrayMap(x -> tuple(toUInt8(0), toUInt8(0)), no_answers) AS verdicts
    FROM bucketed
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
-- What stands beside the spans: names of traces, and scores of whole traces.
known AS
(
    SELECT tuple(project_id, id) AS run_key, id AS run_id, toUnixTimestamp64Micro(timestamp) AS start,
        arrayFilter(x -> x.2 != '', [
            tuple('name', name),
            tuple('task_id', arrayFirst(w -> w != '', [metadata['task_id'], metadata['taskId'], metadata['dataset_item_id'], metadata['datasetItemId']])),
            tuple('environment', toString(environment)),
            tuple('release', ifNull(release, '')),
            tuple('version', ifNull(version, '')),
            tuple('tags', arrayStringConcat(arraySort(tags), ','))]) AS labels
    FROM traces FINAL             -- CHANGE: database.traces
    WHERE is_deleted = 0
    --  AND project_id = '…'      -- CHANGE: as above
    --  AND timestamp >= toDateTime64('2026-11-01 00:00:00', 3)
    ORDER BY event_ts DESC
    LIMIT 1 BY project_id, id
),
scored AS
(
    SELECT tuple(project_id, ifNull(trace_id, '')) AS run_key, replaceRegexpAll(lower(trimBoth(name)), '[\\s-]+', '_') AS plain_name,
        coalesce(if(data_type = 'NUMERIC', NULL, says(ifNull(string_value, ''))), if(isFinite(value), value >= pass_mark, NULL)) AS passed,
        source = 'API' AND has(test_names, plain_name) AS by_program
    FROM scores FINAL             -- CHANGE: database.scores
    WHERE is_deleted = 0 AND observation_id IS NULL AND (has(test_names, plain_name) OR has(opinion_names, plain_name))
    --  AND project_id = '…'      -- CHANGE: as above
    ORDER BY event_ts DESC
    LIMIT 1 BY project_id, id
),
judged_traces AS
(
    SELECT run_key, groupArray(tuple(toUInt8(assumeNotNull(passed)), toUInt8(by_program))) AS verdicts
    FROM scored
    WHERE passed IS NOT NULL
    GROUP BY run_key
),
ended AS
(
    SELECT
        if(runs.run_id = '', known.run_id, runs.run_id) AS run_id,
        if(runs.run_id = '', 'done_claimed', told_status) AS told_status,
        run_reason,
        says_done,
        if(runs.run_id = '', known.start, run_start) AS run_start,
        arrayConcat(span_labels, known.labels, if(raw_reason = '', [], [tuple('raw_reason', raw_reason)])) AS run_labels,
        judged_traces.verdicts AS verdicts,
        is_not_recorded, total_tokens, figures, pass_calls
    FROM runs
    FULL JOIN known ON runs.run_key = known.run_key
    LEFT JOIN judged_traces ON if(runs.run_id = '', known.run_key, runs.run_key) = judged_traces.run_key
    SETTINGS join_use_nulls = 0, max_block_size = 32
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
